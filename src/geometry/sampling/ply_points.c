// SPDX-License-Identifier: MIT
// Particles from the element `vertex` of a PLY file; skips the other elements.
#include "geometry/sampling/ply_points.h"

#include <string.h>

#include "comm/comm.h"
#include "core/file.h"
#include "core/memory.h"
#include "mesh/io/ply_data.h"

#if SIZE_MAX > UINT32_MAX
#define RANK_CHUNK 32768            // points that one rank takes together
#define FILE_MAX ((size_t)1 << 34)  // [bytes]
#else
#define FILE_MAX ((size_t)1 << 30)
#endif
#define VALUE_MAX 1e9  // of coordinates and velocities, as for shapes

// Supported properties of a point.
enum { X, Y, Z, VX, VY, VZ, MASS, DENSITY, J_P, STIFFNESS, F_E, WANTED_COUNT = F_E + 9 };
static const char* const wanted_names[WANTED_COUNT] = {"x",
                                                       "y",
                                                       "z",
                                                       "vx",
                                                       "vy",
                                                       "vz",
                                                       "mass",
                                                       "density",
                                                       "plastic_volume",
                                                       "stiffness",
                                                       "def_grad_elastic_xx",
                                                       "def_grad_elastic_xy",
                                                       "def_grad_elastic_xz",
                                                       "def_grad_elastic_yx",
                                                       "def_grad_elastic_yy",
                                                       "def_grad_elastic_yz",
                                                       "def_grad_elastic_zx",
                                                       "def_grad_elastic_zy",
                                                       "def_grad_elastic_zz"};

typedef struct ply_job {
    firn_ply_data ply;
    int wanted[WANTED_COUNT];  // index of the property in `vertex`; -1: not in the file
    firn_ply_points points;
} ply_job;

// Velocities need all three components, deformations all nine.
static firn_result find_wanted(ply_job* job, const firn_ply_element* element)
{
    for (int w = 0; w < WANTED_COUNT; w++)
        FIRN_TRY(
            firn_ply_find_scalar(&job->ply, element, wanted_names[w], w <= Z, &job->wanted[w]));
    const bool moving = job->wanted[VX] >= 0 || job->wanted[VY] >= 0 || job->wanted[VZ] >= 0;
    for (int w = VX; w <= VZ; w++)
        FIRN_TRY(
            firn_ply_find_scalar(&job->ply, element, wanted_names[w], moving, &job->wanted[w]));
    bool deformed = false;
    for (int w = F_E; w < WANTED_COUNT; w++) deformed |= job->wanted[w] >= 0;
    for (int w = F_E; w < WANTED_COUNT; w++)
        FIRN_TRY(
            firn_ply_find_scalar(&job->ply, element, wanted_names[w], deformed, &job->wanted[w]));
    return FIRN_OK;
}

static bool allocate(firn_ply_points* points, const ply_job* job, size_t count)
{
    bool good = (points->position = firn_alloc(count, sizeof(firn_vec3))) != NULL;
    if (good && job->wanted[VX] >= 0)
        good = (points->velocity = firn_alloc(count, sizeof(firn_vec3))) != NULL;
    if (good && job->wanted[MASS] >= 0)
        good = (points->mass = firn_alloc(count, sizeof(firn_real))) != NULL;
    if (good && job->wanted[DENSITY] >= 0)
        good = (points->density = firn_alloc(count, sizeof(firn_real))) != NULL;
    if (good && job->wanted[J_P] >= 0)
        good = (points->plastic_det = firn_alloc(count, sizeof(firn_real))) != NULL;
    if (good && job->wanted[STIFFNESS] >= 0)
        good = (points->stiffness = firn_alloc(count, sizeof(firn_real))) != NULL;
    if (good && job->wanted[F_E] >= 0)
        good = (points->def_grad = firn_alloc(count, sizeof(firn_mat3))) != NULL;
    return good;
}

static firn_result take_deformation(ply_job* job, const firn_real* v, firn_local p)
{
    firn_mat3 F;
    for (int k = 0; k < 9; k++) F.m[k / 3][k % 3] = v[k];
    const double det = (double)firn_m3_det(F);
    job->points.def_grad[p] = F;
    if (det > 0 && det <= VALUE_MAX) return FIRN_OK;
    return firn_fail(job->ply.error, FIRN_REFUSED_SCENE,
                     "%s: point %lld: def_grad_elastic has the determinant %g, must be above 0",
                     job->ply.path, (long long)p + 1, det);
}

// Reads and checks the values of one vertex.
static firn_result take(ply_job* job, const double* values, firn_local p)
{
    firn_real v[WANTED_COUNT] = {0};
    for (int w = 0; w < WANTED_COUNT; w++) {
        if (job->wanted[w] < 0) continue;
        const double value = values[job->wanted[w]];
        const double low = w >= MASS && w < F_E ? 1e-30 : -VALUE_MAX;
        if (!(value >= low && value <= VALUE_MAX))
            return firn_fail(job->ply.error, FIRN_REFUSED_SCENE,
                             "%s: point %lld: %s is %g, must be between %g and %g", job->ply.path,
                             (long long)p + 1, wanted_names[w], value, low, VALUE_MAX);
        v[w] = (firn_real)value;
    }
    firn_ply_points* points = &job->points;
    points->position[p] = (firn_vec3){v[X], v[Y], v[Z]};
    if (points->velocity != NULL) points->velocity[p] = (firn_vec3){v[VX], v[VY], v[VZ]};
    if (points->mass != NULL) points->mass[p] = v[MASS];
    if (points->density != NULL) points->density[p] = v[DENSITY];
    if (points->plastic_det != NULL) points->plastic_det[p] = v[J_P];
    if (points->stiffness != NULL) points->stiffness[p] = v[STIFFNESS];
    return points->def_grad != NULL ? take_deformation(job, v + F_E, p) : FIRN_OK;
}

static firn_result read_vertices(ply_job* job, const firn_ply_element* element)
{
    FIRN_TRY(firn_ply_check_count(&job->ply, element));
    FIRN_TRY(find_wanted(job, element));
    if (element->count > INT32_MAX)
        return firn_fail(job->ply.error, FIRN_REFUSED_SCENE, "%s: %lld points, at most %d",
                         job->ply.path, (long long)element->count, INT32_MAX);
    if (!allocate(&job->points, job, (size_t)element->count))
        return firn_fail(job->ply.error, FIRN_BROKEN_MEMORY, "%s: no memory for %lld points",
                         job->ply.path, (long long)element->count);
    int powder;
    FIRN_TRY(firn_ply_find_scalar(&job->ply, element, "powder", false, &powder));
    double values[FIRN_PLY_PROPERTIES_MAX];
    for (int64_t k = 0; k < element->count; k++) {
        FIRN_TRY(firn_ply_read_item(&job->ply, element, values));
        if (powder >= 0 && values[powder] == 1) continue;  // not snow
        FIRN_TRY(take(job, values, job->points.count));
        job->points.count++;
    }
    return FIRN_OK;
}

static firn_result read_data(ply_job* job, const char* path, const char* data, size_t bytes,
                             firn_error* error)
{
    FIRN_TRY(firn_ply_open(path, data, bytes, &job->ply, error));
    for (int e = 0; e < job->ply.header->element_count; e++) {
        const firn_ply_element* element = &job->ply.header->elements[e];
        const bool wanted = strcmp(element->name, "vertex") == 0;
        FIRN_TRY(wanted ? read_vertices(job, element) : firn_ply_skip(&job->ply, element));
    }
    if (firn_ply_find_element(&job->ply, "vertex") != NULL) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_SCENE, "%s: there is no element 'vertex'", path);
}

firn_result firn_ply_read_points(const char* path, firn_ply_points* out_points, firn_error* error)
{
    ply_job job = {0};
    char* data;
    size_t bytes;
    FIRN_TRY(firn_file_read(path, FILE_MAX, &data, &bytes, error));
    const firn_result result = read_data(&job, path, data, bytes, error);
    firn_ply_close(&job.ply);
    firn_free(data);
    if (result != FIRN_OK) {
        firn_ply_points_destroy(&job.points);
        return result;
    }
    *out_points = job.points;
    return FIRN_OK;
}

// Leaves all points but keep[0 .. count), which ascends.
static void keep_points(firn_ply_points* points, const firn_local* keep, firn_local count)
{
    struct {
        void* array;
        size_t size;
    } const all[] = {{points->position, sizeof *points->position},
                     {points->velocity, sizeof *points->velocity},
                     {points->mass, sizeof *points->mass},
                     {points->density, sizeof *points->density},
                     {points->plastic_det, sizeof *points->plastic_det},
                     {points->stiffness, sizeof *points->stiffness},
                     {points->def_grad, sizeof *points->def_grad}};
    for (size_t a = 0; a < sizeof all / sizeof *all; a++)
        for (firn_local k = 0; k < count && all[a].array != NULL; k++)
            memmove((char*)all[a].array + (size_t)k * all[a].size,
                    (const char*)all[a].array + (size_t)keep[k] * all[a].size, all[a].size);
    points->count = count;
}

bool firn_ply_points_share(firn_ply_points* points, firn_points* to)
{
    firn_local* keep = firn_alloc((size_t)points->count + 1, sizeof *keep);
    firn_local kept = 0;
    if (keep == NULL) return false;
    for (firn_local p = 0; p < points->count; p++) {
        if (!FIRN_SEED_IS_MINE(to->comm, p / RANK_CHUNK)) continue;
        to->number[to->count + kept] = (uint32_t)(to->total + p);
        keep[kept++] = p;
    }
    to->total += points->count;
    keep_points(points, keep, kept);
    firn_free(keep);
    return true;
}

void firn_ply_points_destroy(firn_ply_points* points)
{
    firn_free(points->position);
    firn_free(points->velocity);
    firn_free(points->mass);
    firn_free(points->density);
    firn_free(points->plastic_det);
    firn_free(points->stiffness);
    firn_free(points->def_grad);
    *points = (firn_ply_points){0};
}
