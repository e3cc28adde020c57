// SPDX-License-Identifier: MIT
// Light that is scattered once, by a crystal, on its way from the sun to the camera:
//
//     I = m kappa albedo glints p(theta) E D      [radiance m^2]
//
// m: mass of the crystal, kappa: extinction per density, p: the phase function, E: irradiance by
// the sun, D: the lobe of its facet. The mean of D is 1, so that the sum over all crystals is the
// light that paths leave out, scattered by the same snow; facets decide where it goes.
#include "render/path/glints/glints.h"

#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "math/random.h"
#include "render/fluid/fluids.h"
#include "render/path/glints/facets.h"
#include "render/path/glints/glint_cells.h"
#include "render/path/phase.h"
#include "render/path/walk.h"
#include "scene/data/scene.h"

#define REACH 1.5         // [spacings] along an axis from a particle to its crystals
#define DEPTH_MAX 8.0f    // optical depth beyond which a glint is not seen: e^-8
#define SIZE 1e-3         // [m] across a crystal, as a camera sees it from near by
#define RADIUS_MAX 32.0f  // [pixels] of its picture
#define ONE 16777216.0    // fixed point, whose sums do not depend on their order
#define CHANNELS 3

typedef struct glints {
    const firn_shutter* shutter;
    const firn_picture_snow* snow;
    const firn_facets* facets;
    firn_glint_cells cells;
    firn_f3 sun;
    firn_rgb light;      // albedo glints E kappa [m^2/kg]
    double spacing;      // [m]
    double per_density;  // kappa
    int32_t crystals;    // of each particle
    double volume;       // [m^3] that each crystal stands for
    int32_t width, height;
    int64_t* sums;  // [height][width][CHANNELS]
} glints;

typedef struct one_particle {
    const glints* g;
    uint64_t id;
    firn_local p;
} one_particle;

static firn_f3 to_f3(firn_vec3 v)
{
    return (firn_f3){(float)v.x, (float)v.y, (float)v.z};
}

static float dot(firn_f3 a, firn_f3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// ---- what is between ----------------------------------------------------------------------------

// Optical depth of the snow from x along d (unit) over `distance` [m]; from DEPTH_MAX on: more.
static float depth_along(const firn_medium* m, firn_vec3 x, firn_f3 d, float distance, float enough)
{
    const float far = distance < FLT_MAX ? distance / (float)m->voxel : FLT_MAX;
    return firn_walk_depth(firn_walk_begin(m, firn_medium_to_cells(m, x)), d, far, enough);
}

static bool is_blocked(const firn_geometry* g, firn_vec3 x, firn_f3 d, float distance)
{
    const firn_vec3 to = {(firn_real)d.x, (firn_real)d.y, (firn_real)d.z};
    return g != NULL && firn_geometry_blocked(g, (firn_ray){x, to}, distance);
}

// Share of the sun's light that gets to x and from there to the eye.
static float passage(const glints* g, const firn_shutter_sample* at, firn_vec3 x, firn_f3 to_eye,
                     float distance)
{
    const float seen = depth_along(&at->medium, x, to_eye, distance, DEPTH_MAX);
    if (seen >= DEPTH_MAX) return 0;
    const float lit = depth_along(&at->medium, x, g->sun, FLT_MAX, DEPTH_MAX - seen);
    if (lit + seen >= DEPTH_MAX) return 0;
    if (is_blocked(at->geometry, x, to_eye, distance * 0.9998f) ||
        is_blocked(at->geometry, x, g->sun, FLT_MAX))
        return 0;
    return (float)firn_exp(-(firn_real)(seen + lit));
}

// ---- the picture of a crystal -------------------------------------------------------------------

// [pixels] half width of its picture: by the filter of pixels, its size, and the lens.
static float radius_of(const firn_shutter_sample* at, float depth)
{
    const float pixel = (float)at->camera.pixel;
    const float size = (float)(0.5 * SIZE) / (depth * pixel);
    const float lens = (float)at->lens.radius,
                blur = lens > 0 ? lens * fabsf(1 / (float)at->lens.focus - 1 / depth) / pixel : 0;
    return firn_f_min(firn_f_max(1, sqrtf(size * size + blur * blur)), RADIUS_MAX);
}

// Weights of the tent about `center` for pixels first ..; returns their number. Their sum is 1.
static int tent_about(float center, float radius, int32_t* out_first, float* out_weights)
{
    const int32_t first = (int32_t)floorf(center - radius - 0.5f) + 1;
    int count = 0;
    float sum = 0;
    for (; (float)(first + count) + 0.5f < center + radius; count++) {
        const float away = fabsf((float)(first + count) + 0.5f - center) / radius;
        sum += out_weights[count] = firn_f_max(1 - away, 0);
    }
    for (int k = 0; k < count; k++) out_weights[k] /= sum;
    *out_first = first;
    return count;
}

static void splat(const glints* g, const firn_shutter_sample* at, firn_vec3 x, firn_rgb light)
{
    firn_real px, py, depth;
    if (!firn_camera_project(&at->camera, x, &px, &py, &depth)) return;
    const float radius = radius_of(at, (float)depth);
    if (!((float)px > -radius && (float)py > -radius && (float)px < (float)g->width + radius &&
          (float)py < (float)g->height + radius))
        return;
    enum { WEIGHTS = 2 * (int)RADIUS_MAX + 3 };
    float wx[WEIGHTS], wy[WEIGHTS];
    int32_t x0, y0;
    const int nx = tent_about((float)px, radius, &x0, wx),
              ny = tent_about((float)py, radius, &y0, wy);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            if (x0 + i < 0 || y0 + j < 0 || x0 + i >= g->width || y0 + j >= g->height) continue;
            int64_t* to = g->sums + ((int64_t)(y0 + j) * g->width + x0 + i) * CHANNELS;
            const double w = (double)(wx[i] * wy[j]) * ONE;
            firn_atomic_add(&to[0], (int64_t)(w * (double)light.r));
            firn_atomic_add(&to[1], (int64_t)(w * (double)light.g));
            firn_atomic_add(&to[2], (int64_t)(w * (double)light.b));
        }
}

// [kg/m^3] of the snow at x.
static float density_at(const glints* g, const firn_shutter_sample* at, firn_vec3 x)
{
    const firn_walk w = firn_walk_begin(&at->medium, firn_medium_to_cells(&at->medium, x));
    if (!(w.majorant > 0)) return 0;
    return (float)((double)firn_walk_extinction(&w) / at->medium.voxel / g->per_density);
}

// ---- crystals -----------------------------------------------------------------------------------

// A crystal at one shutter time, of which `mass` is scaled by the snow there.
static void add_crystal(const glints* g, const firn_shutter_sample* at, firn_vec3 x, float lobe)
{
    const firn_vec3 way = firn_v3_sub(at->camera.eye, x);
    const float distance = (float)firn_v3_length(way);
    const float depth = -(float)firn_v3_dot(way, at->camera.forward);
    const float density = density_at(g, at, x);
    if (!(depth > 0 && density > 0)) return;
    const firn_f3 to_eye = to_f3(firn_v3_scale(way, (firn_real)(1 / distance)));
    const float share = passage(g, at, x, to_eye, distance);
    if (!(share > 0)) return;
    const float cosine = -dot(g->sun, to_eye);  // of the angle by which light is scattered
    // solid angle of a pixel there
    const float pixel = (float)at->camera.pixel, slant = depth / distance;
    const float solid = pixel * pixel * slant * slant * slant;
    const float mass = density * (float)g->volume;
    splat(g, at, x,
          firn_rgb_scale(g->light, mass * share * lobe * firn_phase_value(at->medium.g, cosine) /
                                       (distance * distance * solid * (float)g->shutter->count)));
}

// The half vector at x at the middle of the shutter's time; false: the sun is behind what is seen.
static bool half_at(const glints* g, const firn_camera* camera, firn_vec3 x, firn_f3* out_half)
{
    const firn_vec3 way = firn_v3_sub(camera->eye, x);
    const firn_f3 to_eye = to_f3(firn_v3_normalize(way, firn_v3(0, 0, 0)));
    const firn_f3 h = {to_eye.x + g->sun.x, to_eye.y + g->sun.y, to_eye.z + g->sun.z};
    const float length = sqrtf(dot(h, h));
    *out_half = (firn_f3){h.x / length, h.y / length, h.z / length};
    return length > 0.02f;
}

// A facet of particle p that mirrors: its crystal shows at all shutter times, if its snow is that
// of the particle and not of a nearer one.
static void add_facet(void* self, int32_t facet, float lobe)
{
    const one_particle* o = self;
    const glints* g = o->g;
    const firn_picture_snow* s = g->snow;
    const uint64_t bits = firn_random_bits(0x67116e75 ^ o->id << 20, (uint64_t)facet);
    double u[3];
    for (uint64_t a = 0; a < 3; a++)
        u[a] = (2 * firn_random_unit(bits, a) - 1) * REACH * g->spacing;
    const firn_vec3 offset = firn_v3((firn_real)u[0], (firn_real)u[1], (firn_real)u[2]);
    const firn_vec3 at_frame = firn_v3_add(s->x[o->p], offset);
    if (firn_glint_cells_nearest(&g->cells, s->x, at_frame) != o->p) return;
    for (int32_t i = 0; i < g->shutter->count; i++) {
        const firn_shutter_sample* at = &g->shutter->at[i];
        const firn_vec3 x =
            s->v != NULL ? firn_v3_madd(at_frame, (firn_real)(at->time - s->time), s->v[o->p])
                         : at_frame;
        add_crystal(g, at, x, lobe);
    }
}

static void add_particle(const glints* g, firn_local p)
{
    const firn_picture_snow* s = g->snow;
    firn_f3 half;
    if (!half_at(g, &g->shutter->at[g->shutter->count / 2].camera, s->x[p], &half)) return;
    const uint64_t id = s->id != NULL ? s->id[p] : (uint64_t)p;
    firn_facets_find(g->facets, id, g->crystals, half, add_facet,
                     &(one_particle){.g = g, .id = id, .p = p});
}

static void add_particles(const void* self, firn_local begin, firn_local end)
{
    const glints* g = self;
    for (firn_local k = begin; k < end; k++) add_particle(g, g->cells.list[k]);
}

// ---- the film -----------------------------------------------------------------------------------

static firn_rgb light_of(const firn_lights* lights, const firn_medium_block* m)
{
    const firn_rgb albedo =
        firn_rgb_of((float)m->albedo[0], (float)m->albedo[1], (float)m->albedo[2]);
    const float pi = 3.14159265f;  // of the irradiance, over the radiance of a white surface
    return firn_rgb_scale(firn_rgb_mul(albedo, lights->day.direct),
                          (float)(m->glints * m->extinction / m->density) * pi);
}

// The particles that are snow. `list`: room for all.
static firn_local list_snow(const firn_scene_data* scene, const firn_picture_snow* s,
                            firn_local* list)
{
    if (firn_fluids_exist(scene))
        return firn_fluids_list_snow(
            scene, &(firn_fluid_particles){s->x, s->mass, s->material, s->count, s->cell}, list);
    for (firn_local p = 0; p < s->count; p++) list[p] = p;
    return s->count;
}

static firn_result add_all(glints* g, firn_film* film, const firn_scene_data* scene)
{
    const firn_picture_snow* s = g->snow;
    const size_t values = (size_t)film->width * (size_t)film->height * CHANNELS;
    g->sums = firn_alloc(values, sizeof *g->sums);
    film->glints = firn_alloc(values, sizeof *film->glints);
    firn_facets* facets = firn_alloc(1, sizeof *facets);
    g->cells.list = firn_alloc((size_t)s->count + 1, sizeof *g->cells.list);
    if (g->sums == NULL || film->glints == NULL || facets == NULL || g->cells.list == NULL) {
        firn_free(facets);
        return FIRN_BROKEN_MEMORY;
    }
    g->facets = facets;
    firn_facets_init(facets);
    const firn_local count = list_snow(scene, s, g->cells.list);
    firn_result r = firn_glint_cells_sort(&g->cells, s->x, count, REACH * g->spacing);
    if (r == FIRN_OK) {
        firn_share(count, 64, add_particles, g);
        for (size_t k = 0; k < values; k++) film->glints[k] = (float)((double)g->sums[k] / ONE);
    }
    firn_free(facets);
    return r;
}

firn_result firn_glints_add(firn_film* film, const firn_scene_data* scene,
                            const firn_picture_snow* snow, const firn_shutter* shutter,
                            const firn_lights* lights, firn_error* error)
{
    const firn_medium_block* m = &scene->render.medium;
    if (!(m->glints > 0) || !(m->extinction > 0) || !lights->has_sun || snow->count == 0)
        return FIRN_OK;
    const double spacing = firn_shutter_spacing(scene, snow);
    const double room = pow(2 * REACH * spacing, 3);
    const double wanted = room * m->density / FIRN_GLINT_MASS;
    glints g = {.shutter = shutter,
                .snow = snow,
                .sun = lights->sun_to,
                .light = light_of(lights, m),
                .spacing = spacing,
                .per_density = m->extinction / m->density,
                .crystals = (int32_t)fmin(fmax(wanted, 1), FIRN_FACETS),
                .width = film->width,
                .height = film->height};
    g.volume = room / g.crystals;
    const firn_result r = add_all(&g, film, scene);
    firn_free(g.sums);
    firn_glint_cells_destroy(&g.cells);
    if (r == FIRN_OK) return FIRN_OK;
    return firn_fail(error, r, "no memory for the glints of a picture");
}
