// SPDX-License-Identifier: MIT
// Creates the scene's particles, independent of the solver: fills or reads every volume of snow,
// then sets mass, velocity and variation. Each particle represents cell^3 / particles_per_cell of
// snow, or cell^3 on the lattice of a solver that requests one. Loose snow has the same particle
// mass and a larger spacing. Grains are packed instead.
#include <math.h>

#include "comm/comm.h"
#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "geometry/sampling/packing.h"
#include "geometry/sampling/ply_points.h"
#include "math/vec3.h"
#include "scene/data/scene.h"
#include "scene/run/seed.h"
#include "scene/run/vary_sample.h"

// Limits of a material (material_keys.c) apply to varied values too: snow must yield before it has
// lost all of its volume.
#define HARDENING_MAX 100
#define THRESHOLD_MAX 0.9

// One volume of snow while it is seeded.
typedef struct snow_fill {
    const firn_scene_data* scene;
    const firn_snow* snow;
    firn_local index;       // in scene->snow, for messages
    firn_local first, end;  // its particles
    double cell;            // [m], of the grid
    double per_cell;        // particles per cell of packed snow
    double pitch;           // [m] edge of the cell that receives per_cell particles
    firn_seeding seeding;
    bool on_lattice;         // of a solver that requests one
    bool packed;             // place spheres of this size in a random packing instead
    firn_ply_points file;    // owned; of snow from a point file
    firn_vec3 center;        // of its bounds [m]
    firn_vary_sampler vary;  // owned
} snow_fill;

// Adds the key of the volume in front of the message. A file that cannot be read is a mistake of
// the scene, as it is for the files that are read when a scene is loaded.
static firn_result fail_at(const snow_fill* b, firn_result code, const firn_error* cause,
                           firn_error* error)
{
    if (code == FIRN_REFUSED_IO) code = FIRN_REFUSED_SCENE;
    return firn_fail(error, code, "snow.%d: %s", (int)b->index, cause->text);
}

static bool spins(const firn_scene_data* scene)
{
    bool any = false;
    for (firn_local i = 0; i < scene->snow_count; i++)
        for (int d = 0; d < 3; d++) any |= scene->snow[i].spin[d] != 0;
    return any;
}

// Reserves all arrays except the positions; they have the same capacity.
static bool grow(firn_seeds* seeds, firn_local capacity, bool varies, bool heats, bool packed,
                 bool spins)
{
    struct {
        void** array;
        size_t size;
        bool needed;
    } const all[] = {{(void**)&seeds->velocity, sizeof *seeds->velocity, true},
                     {(void**)&seeds->mass, sizeof *seeds->mass, true},
                     {(void**)&seeds->stiffness, sizeof *seeds->stiffness, true},
                     {(void**)&seeds->material, sizeof *seeds->material, true},
                     {(void**)&seeds->volume, sizeof *seeds->volume, true},
                     {(void**)&seeds->hardening, sizeof *seeds->hardening, varies},
                     {(void**)&seeds->compression, sizeof *seeds->compression, varies},
                     {(void**)&seeds->stretch, sizeof *seeds->stretch, varies},
                     {(void**)&seeds->temperature, sizeof *seeds->temperature, heats},
                     {(void**)&seeds->size, sizeof *seeds->size, packed},
                     {(void**)&seeds->plastic_det, sizeof(firn_real), seeds->plastic_det != NULL},
                     {(void**)&seeds->def_grad, sizeof(firn_mat3), seeds->def_grad != NULL},
                     {(void**)&seeds->spin, sizeof *seeds->spin, spins}};
    bool ok = true;
    for (size_t k = 0; k < sizeof all / sizeof *all && ok; k++) {
        firn_local had = seeds->capacity;
        ok = !all[k].needed || firn_reserve(all[k].array, &had, capacity, all[k].size);
    }
    return ok;
}

bool firn_seeds_reserve(firn_seeds* seeds, firn_local capacity, bool varies, bool heats)
{
    firn_local room = seeds->capacity;
    if (!firn_reserve((void**)&seeds->position, &room, capacity, sizeof *seeds->position) ||
        !grow(seeds, room, varies, heats, false, false))
        return false;
    seeds->capacity = room;
    return true;
}

static firn_result check_snow(const snow_fill* b, firn_error* error)
{
    const firn_snow* snow = b->snow;
    if (snow->material < 0 || snow->material >= b->scene->material_count)
        return firn_fail(error, FIRN_REFUSED_SCENE, "snow.%d: there is no material %d, only %d",
                         (int)b->index, (int)snow->material, (int)b->scene->material_count);
    if (snow->material > UINT8_MAX)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "snow.%d: material %d, but snow can use the first %d only", (int)b->index,
                         (int)snow->material, UINT8_MAX + 1);
    if (!(snow->particles_per_cell > 0))
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "snow.%d: particles_per_cell is %g, must be above 0", (int)b->index,
                         snow->particles_per_cell);
    if (snow->shape < 0 && snow->file == NULL)
        return firn_fail(error, FIRN_REFUSED_SCENE, "snow.%d: has neither shape nor file",
                         (int)b->index);
    if (!(snow->loose >= 1))
        return firn_fail(error, FIRN_REFUSED_SCENE, "snow.%d: loose is %g, must be at least 1",
                         (int)b->index, snow->loose);
    if (snow->shape < 0 && snow->loose != 1)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "snow.%d: loose needs a shape: particles from a file are where it says",
                         (int)b->index);
    if (snow->shape < 0 && (snow->vary.shell.thickness > 0 || snow->vary.layers.count > 0))
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "snow.%d: vary.%s needs a shape: particles from a file have no surface",
                         (int)b->index, snow->vary.shell.thickness > 0 ? "shell" : "layers");
    return FIRN_OK;
}

// Appends the points of the file; the other columns stay in `file`. Several ranks all read it.
static firn_result read_file(snow_fill* b, firn_points* points, firn_box3* out_bounds,
                             firn_error* error)
{
    firn_error cause;
    const firn_result result = firn_ply_read_points(b->snow->file, &b->file, &cause);
    if (result != FIRN_OK) return fail_at(b, result, &cause, error);
    const firn_local count = b->file.count;
    if (count == 0)
        return firn_fail(error, FIRN_REFUSED_SCENE, "snow.%d: %s has no points", (int)b->index,
                         b->snow->file);
    if (count > INT32_MAX - (points->comm != NULL ? points->total : points->count))
        return firn_fail(error, FIRN_REFUSED_SCENE, "snow.%d: more than %d particles in all",
                         (int)b->index, INT32_MAX);
    *out_bounds = (firn_box3){b->file.position[0], b->file.position[0]};
    for (firn_local p = 0; p < count; p++) {
        out_bounds->low = firn_v3_min(out_bounds->low, b->file.position[p]);
        out_bounds->high = firn_v3_max(out_bounds->high, b->file.position[p]);
    }
    if (!firn_points_reserve(points, points->count + count) ||
        (points->comm != NULL && !firn_ply_points_share(&b->file, points)))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "snow.%d: no memory for %d particles",
                         (int)b->index, (int)count);
    for (firn_local p = 0; p < b->file.count; p++)
        points->position[points->count + p] = b->file.position[p];
    points->count += b->file.count;
    return FIRN_OK;
}

static firn_result fill_lattice(const snow_fill* b, firn_points* points, firn_error* error)
{
    const firn_shapes* shapes = &b->scene->shapes;
    double corner[3];
    FIRN_TRY(firn_seed_corner(shapes, b->snow->shape, (firn_real)b->pitch, corner, error));
    return firn_seed_lattice(shapes, b->snow->shape, (firn_real)b->pitch, corner, points, error);
}

// Creates the positions, and computes the centre of the bounds.
static firn_result create_positions(snow_fill* b, firn_points* points, firn_error* error)
{
    const firn_snow* snow = b->snow;
    firn_box3 bounds = {0};
    b->first = points->count;
    if (snow->shape < 0) {
        FIRN_TRY(read_file(b, points, &bounds, error));
    } else {
        firn_error cause;
        const firn_shapes* shapes = &b->scene->shapes;
        const firn_real pitch = (firn_real)b->pitch;
        firn_result result;
        if (b->packed)
            result = firn_pack_shape(shapes, snow->shape, pitch, points, &cause);
        else if (b->on_lattice)
            result = fill_lattice(b, points, &cause);
        else
            result = firn_seed_shape(shapes, snow->shape, pitch, b->per_cell, b->seeding,
                                     (uint64_t)snow->seed, points, &cause);
        if (result != FIRN_OK)
            return fail_at(b, result == FIRN_REFUSED_ARGUMENT ? FIRN_REFUSED_SCENE : result, &cause,
                           error);
        bounds = firn_shape_bounds(shapes, snow->shape);
    }
    b->end = points->count;
    const firn_real half = (firn_real)0.5;
    b->center = firn_v3_madd(firn_v3_scale(bounds.low, half), half, bounds.high);
    return FIRN_OK;
}

// [kg/m^3] of packed snow before variation: the file's or the material's.
static double plain_density(const snow_fill* b, firn_local p)
{
    return b->file.density != NULL ? (double)b->file.density[p - b->first]
                                   : (double)b->scene->materials[b->snow->material].snow.density;
}

// [kg] before variation: from the file, or density times the volume of packed snow.
static double plain_mass(const snow_fill* b, firn_local p)
{
    if (b->file.mass != NULL) return (double)b->file.mass[p - b->first];
    return plain_density(b, p) * b->cell * b->cell * b->cell / b->per_cell;
}

// False if the factors exceed the limits of a material.
static bool is_sound(const firn_snow_material* m, const double factor[FIRN_VARY_COUNT])
{
    const double value[3] = {(double)m->hardening, (double)m->critical_compression,
                             (double)m->critical_stretch};
    const double most[3] = {HARDENING_MAX, THRESHOLD_MAX, THRESHOLD_MAX};
    bool valid = true;
    for (int k = 0; k < 3; k++) {
        const double f = factor[FIRN_VARY_HARDENING + k];
        valid &= f == 1 || value[k] * f <= most[k] * (1 + 1e-6);  // tolerance for rounding to float
    }
    return valid;
}

typedef struct seed_job {
    const snow_fill* fill;
    firn_seeds* seeds;
    firn_local* wrong;  // first particle whose factors exceed the limits
} seed_job;

// Sets everything but the position. Particles are independent of each other.
static void set_range(const void* self, firn_local begin, firn_local end)
{
    const seed_job* job = self;
    const snow_fill* b = job->fill;
    firn_seeds* seeds = job->seeds;
    const firn_snow* snow = b->snow;
    const firn_snow_material* material = &b->scene->materials[snow->material].snow;
    const firn_vec3 velocity = firn_v3((firn_real)snow->velocity[0], (firn_real)snow->velocity[1],
                                       (firn_real)snow->velocity[2]);
    const firn_vec3 spin =
        firn_v3((firn_real)snow->spin[0], (firn_real)snow->spin[1], (firn_real)snow->spin[2]);
    const double room = snow->shape >= 0 ? pow(snow->loose, 3) : 1;  // of loose over packed snow
    for (firn_local p = b->first + begin; p < b->first + end; p++) {
        const firn_vec3 x = seeds->position[p];
        firn_vec3 v = firn_v3_add(velocity, firn_v3_cross(spin, firn_v3_sub(x, b->center)));
        if (b->file.velocity != NULL) v = firn_v3_add(v, b->file.velocity[p - b->first]);
        double factor[FIRN_VARY_COUNT];
        firn_vary_sample(&b->vary, x, factor);
        seeds->velocity[p] = v;
        if (seeds->spin != NULL) seeds->spin[p] = spin;
        const double mass = plain_mass(b, p);
        seeds->mass[p] = (firn_real)(mass * factor[FIRN_VARY_DENSITY]);
        seeds->volume[p] = (firn_real)(mass / plain_density(b, p) * room);
        seeds->stiffness[p] = (firn_real)factor[FIRN_VARY_STIFFNESS];
        seeds->material[p] = (uint8_t)snow->material;
        if (seeds->temperature != NULL) seeds->temperature[p] = (firn_real)snow->temperature;
        if (b->packed) seeds->size[p] = (firn_real)(b->pitch / snow->loose);
        firn_atomic_min_double(&seeds->lightest, factor[FIRN_VARY_DENSITY]);
        if (seeds->hardening == NULL) continue;
        seeds->hardening[p] = (firn_real)factor[FIRN_VARY_HARDENING];
        seeds->compression[p] = (firn_real)factor[FIRN_VARY_COMPRESSION];
        seeds->stretch[p] = (firn_real)factor[FIRN_VARY_STRETCH];
        if (!is_sound(material, factor)) firn_atomic_min(job->wrong, p);
    }
}

static firn_result refuse_factors(const snow_fill* b, const firn_seeds* seeds, firn_local p,
                                  firn_error* error)
{
    const firn_material* m = &b->scene->materials[b->snow->material];
    const firn_vec3 x = seeds->position[p];
    return firn_fail(
        error, FIRN_REFUSED_SCENE,
        "snow.%d: at (%.3g, %.3g, %.3g) m vary makes material '%s' too extreme: hardening %.3g * "
        "%.3g (at most %d), critical_compression %.3g * %.3g, critical_stretch %.3g * %.3g (at "
        "most %g): use smaller factors",
        (int)b->index, (double)x.x, (double)x.y, (double)x.z, m->name, (double)m->snow.hardening,
        (double)seeds->hardening[p], HARDENING_MAX, (double)m->snow.critical_compression,
        (double)seeds->compression[p], (double)m->snow.critical_stretch, (double)seeds->stretch[p],
        THRESHOLD_MAX);
}

static firn_result add_snow(snow_fill* b, firn_comm* comm, firn_seeds* seeds, firn_error* error)
{
    FIRN_TRY(check_snow(b, error));
    // Positions grow first; the other arrays follow with the same capacity.
    firn_points points = {seeds->position, seeds->count, seeds->capacity, comm,
                          seeds->number,   seeds->total};
    const firn_result result = create_positions(b, &points, error);
    seeds->position = points.position;
    seeds->number = points.number;
    seeds->total = points.total;
    if (result != FIRN_OK) return result;
    if (!grow(seeds, points.capacity, firn_scene_varies(b->scene), firn_scene_heats(b->scene),
              b->packed, spins(b->scene)))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "snow.%d: no memory for %d particles",
                         (int)b->index, (int)points.count);
    seeds->capacity = points.capacity;
    seeds->count = points.count;
    firn_error cause;
    const firn_result read = firn_vary_sampler_create(b->scene, b->snow, b->cell, &b->vary, &cause);
    if (read != FIRN_OK) return fail_at(b, read, &cause, error);
    firn_local wrong = b->end;
    firn_share(b->end - b->first, 128, set_range, &(seed_job){b, seeds, &wrong});
    FIRN_TRY(firn_seeds_take_state(seeds, b->first, &b->file, error));
    // packed grains have no use for the factors
    return wrong < b->end && !b->packed ? refuse_factors(b, seeds, wrong, error) : FIRN_OK;
}

static snow_fill fill_of(const firn_scene_data* scene, firn_local i, double cell, bool lattice,
                         firn_seed_pitch pitch)
{
    const firn_snow* snow = &scene->snow[i];
    const double closeness =
        pitch != NULL && snow->material < scene->material_count ? pitch(scene, snow) : 1;
    return (snow_fill){.scene = scene,
                       .snow = snow,
                       .index = i,
                       .cell = (double)(firn_real)cell,
                       .pitch = (double)(firn_real)(cell * closeness) * snow->loose,
                       .per_cell = lattice ? 1 : snow->particles_per_cell,
                       .packed = pitch != NULL,
                       .on_lattice = lattice && pitch == NULL && snow->loose == 1,
                       .seeding = lattice && snow->loose == 1 ? FIRN_SEED_LATTICE : snow->seeding};
}

// Volumes first .. end - 1; with `comm` all ranks together.
static firn_result seed(const firn_scene_data* scene, firn_local first, firn_local end, double cell,
                        bool lattice, firn_seed_pitch pitch, firn_comm* comm, firn_seeds* out_seeds,
                        firn_error* error)
{
    firn_seeds seeds = {.lightest = 1};
    if (!(cell > 0 && cell <= FIRN_SHAPE_LENGTH_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "cells of %g m, must be above 0", cell);
    for (firn_local i = first; i < end; i++) {
        snow_fill b = fill_of(scene, i, cell, lattice, pitch);
        firn_result result = add_snow(&b, comm, &seeds, error);
        if (comm != NULL) result = firn_comm_settle(comm, result, error);
        firn_ply_points_destroy(&b.file);
        firn_vary_sampler_destroy(&b.vary);
        if (result == FIRN_OK) continue;
        firn_seeds_destroy(&seeds);
        return result;
    }
    double lightest = -seeds.lightest;
    firn_comm_max(comm, &lightest, 1);
    seeds.lightest = -lightest;
    *out_seeds = seeds;
    return FIRN_OK;
}

firn_result firn_scene_seed(const firn_scene_data* scene, double cell, firn_seeds* out_seeds,
                            firn_error* error)
{
    return seed(scene, 0, scene->snow_count, cell, false, NULL, NULL, out_seeds, error);
}

firn_result firn_scene_seed_ranks(const firn_scene_data* scene, double cell, firn_comm* comm,
                                  firn_seeds* out_seeds, firn_error* error)
{
    return seed(scene, 0, scene->snow_count, cell, false, NULL, comm, out_seeds, error);
}

firn_result firn_scene_seed_lattice(const firn_scene_data* scene, double cell,
                                    firn_seed_pitch pitch, firn_seeds* out_seeds, firn_error* error)
{
    return seed(scene, 0, scene->snow_count, cell, true, pitch, NULL, out_seeds, error);
}

firn_result firn_scene_seed_one(const firn_scene_data* scene, firn_local index, double cell,
                                bool lattice, firn_seed_pitch pitch, firn_seeds* out_seeds,
                                firn_error* error)
{
    return seed(scene, index, index + 1, cell, lattice, lattice ? pitch : NULL, NULL, out_seeds,
                error);
}

firn_result firn_scene_seed_check(const firn_scene_data* scene, firn_local snow, double cell,
                                  bool lattice, firn_seed_pitch pitch, firn_error* error)
{
    const snow_fill b = fill_of(scene, snow, cell, lattice, pitch);
    const firn_local shape = b.snow->shape;
    FIRN_TRY(check_snow(&b, error));
    if (shape < 0) return FIRN_OK;  // from a file
    return b.packed ? firn_pack_check(&scene->shapes, shape, (firn_real)b.pitch, error)
                    : firn_seed_check(&scene->shapes, shape, (firn_real)b.pitch, b.per_cell, error);
}
