// SPDX-License-Identifier: MIT
#include "sim/scene/scene_fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory_limit.h"
#include "geometry/levelset/velocity_volume.h"
#include "geometry/sampling/packing.h"
#include "geometry/sdf/shape.h"
#include "physics/powder.h"
#include "scene/data/emitter.h"
#include "scene/data/snow.h"
#include "scene/run/flake_due.h"
#include "scene/run/flakes.h"

#define VOLUME_SAMPLES 200000
// Fraction of a solver's typical memory per particle that every scene takes: snow with few
// neighbours needs less than dense snow. Measured: 0.55 and more.
#define CERTAIN 0.5
#define MARGIN 1.4   // of a suggestion: snow that spreads occupies more of the grid
#define BUFFERS 4e6  // [bytes] for writing frames, in every scene
// The same on a GPU, which takes the arrays for all particles before the first step. The rest of
// the estimate is for colliders and for cells that are hardly occupied.
#define DEVICE_CERTAIN 0.9
#define PROCESS_FIXED 40e6  // [bytes] of the program in a simulation on the CPU
// The same on several ranks, whose program has MPI; what rank 0 writes with; borders and what is on
// its way between ranks, for each particle that a rank has; the arrays of rank 0's picture, for all
// particles. Measured with 512 000 particles on 2 and 4 ranks.
#define RANK_FIXED 54e6
#define RANK_0_FIXED 24e6
#define RANK_TIMES 1.3
#define RANK_EACH 100
#define PICTURE_EACH 88
#define STAGED (1 << 20)   // particles on their way to and from the host at once, each ...
#define STAGED_EACH 36     // ... of so many bytes (solver/shared/cuda_sim_state.cu)
#define DEVICE_TABLES 4e6  // [bytes] sums, tables of blocks of space, control

// Particles per volume of a snow body [1/m^3].
static double particle_density(const firn_scene_data* scene, const firn_snow* snow, double cell)
{
    const firn_solver* solver = firn_solvers[scene->solver];
    double per_cell = solver->lattice ? 1 : snow->particles_per_cell;
    double pitch = cell * snow->loose;
    if (solver->pitch != NULL && snow->material < scene->material_count) {
        pitch *= solver->pitch(scene, snow);
        per_cell = FIRN_PACKING_DENSITY;
    }
    return per_cell / (pitch * pitch * pitch);
}

static double box_volume(const firn_box3* box)
{
    return ((double)box->high.x - (double)box->low.x) * ((double)box->high.y - (double)box->low.y) *
           ((double)box->high.z - (double)box->low.z);
}

// Fraction of a volume that is certain: with n of the samples inside, three standard deviations of
// independent ones, more than the error of stratified ones.
static double certain_fraction(const firn_box3* box, double volume)
{
    const double inside = VOLUME_SAMPLES * volume / box_volume(box);
    return inside > 9 ? 1 - 3 / sqrt(inside) : 0;
}

// The most snow that the bounds of the shapes can hold.
static double most_snow(const firn_scene_data* scene, double cell)
{
    double particles = 0;
    for (firn_local k = 0; k < scene->snow_count; k++) {
        const firn_snow* snow = &scene->snow[k];
        if (snow->shape < 0) continue;
        const firn_box3 box = firn_shape_bounds(&scene->shapes, snow->shape);
        particles += box_volume(&box) * particle_density(scene, snow, cell);
    }
    return particles;
}

firn_scene_size firn_scene_measure(const firn_scene_data* scene)
{
    const firn_solver_estimate estimate = firn_solvers[scene->solver]->estimate(scene);
    const double cell = estimate.cell;
    firn_scene_size size = {0};
    for (firn_local k = 0; k < scene->snow_count; k++) {
        const firn_snow* snow = &scene->snow[k];
        if (snow->shape < 0) continue;  // particles from a file, counted when it is read
        const double volume = firn_shape_volume(&scene->shapes, snow->shape, VOLUME_SAMPLES);
        if (!isfinite(volume)) continue;
        const firn_box3 box = firn_shape_bounds(&scene->shapes, snow->shape);
        const double particles = volume * particle_density(scene, snow, cell);
        size.snow += particles;
        size.snow_least += particles * certain_fraction(&box, volume);
    }
    size.particles = size.snow;
    const double end = (double)scene->time.frames / scene->time.fps;
    for (firn_local k = 0; k < scene->emitter_count; k++) {
        const firn_emitter e = firn_emitter_settled(scene, &scene->emitters[k], estimate.flake);
        size.particles += (double)firn_emitter_due(&e, end);
    }
    return size;
}

static const firn_key* find_size_key(const firn_scene_data* scene)
{
    static const char* const names[] = {"cell", "spacing", "radius"};
    const firn_key_block* block = scene->solver_keys;
    for (size_t i = 0; block != NULL && i < block->key_count; i++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (strcmp(block->keys[i].name, names[n]) == 0) return &block->keys[i];
    return NULL;
}

bool firn_scene_size_key(const firn_scene_data* scene, char* out_key, size_t size)
{
    const firn_key* key = find_size_key(scene);
    if (key == NULL) return false;
    snprintf(out_key, size, "%s.%s", firn_solvers[scene->solver]->name, key->name);
    return true;
}

// "use mpm.cell of at least 0.02 m, or less snow", for `times` fewer particles.
static void advise(const firn_scene_data* scene, double times, char* out_text, size_t size)
{
    char name[64];
    double edge = firn_solvers[scene->solver]->estimate(scene).cell * cbrt(MARGIN * times);
    if (!firn_scene_size_key(scene, name, sizeof name) || !isfinite(edge)) {
        snprintf(out_text, size, "use less snow");
        return;
    }
    if (strcmp(find_size_key(scene)->name, "radius") == 0) edge /= 2;
    const double digit = pow(10, floor(log10(edge)) - 1);  // two digits, rounded up
    snprintf(out_text, size, "use %s of at least %.2g m, or less snow", name,
             ceil(edge / digit) * digit);
}

// What a simulation may take, and who says so.
typedef struct allowance {
    double bytes;
    bool capped;  // by `cap`, not by the machine
} allowance;

static allowance find_allowance(uint64_t cap)
{
    const uint64_t most = firn_memory_limit();
    const bool capped = cap != 0 && cap <= most;
    return (allowance){(double)(capped ? cap : most), capped};
}

// "about 9e+08 particles take about 249 GiB of memory, and --memory allows 512 MiB"
static void print_need(double particles, double need, const allowance* a, char* out_text,
                       size_t size)
{
    char need_text[FIRN_BYTES_TEXT], limit_text[FIRN_BYTES_TEXT];
    snprintf(out_text, size, "about %.3g particles take about %s of memory, and %s %s", particles,
             firn_bytes_text(need, need_text),
             a->capped ? "--memory allows" : "this process can get",
             firn_bytes_text(a->bytes, limit_text));
}

// Particles of `each` bytes on the host.
static firn_result fit_host(const firn_scene_data* scene, const firn_scene_size* size, double each,
                            uint64_t cap, firn_error* error)
{
    char advice[160], text[200];
    const double need = size->snow * each;
    const allowance a = find_allowance(cap);
    const double room = fmax(a.bytes - BUFFERS, a.bytes / 2);
    const bool too_many = size->snow_least > INT32_MAX;
    if (!too_many && CERTAIN * size->snow_least * each <= a.bytes) return FIRN_OK;
    advise(scene, fmax(size->snow / INT32_MAX, need / room), advice, sizeof advice);
    if (too_many)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "the snow has about %.3g particles, and at most %.2g are possible: %s",
                         size->snow, (double)INT32_MAX, advice);
    print_need(size->snow, need, &a, text, sizeof text);
    return firn_fail(error, a.capped ? FIRN_BROKEN_MEMORY : FIRN_REFUSED_SCENE, "%s: %s", text,
                     advice);
}

// Of a simulation in one process, on average over all particles.
static double rank_each(const firn_scene_data* scene, int ranks, bool first)
{
    const double each = firn_solvers[scene->solver]->estimate(scene).bytes_per_particle;
    const bool draws = first && scene->output.preview;
    return ranks > 1 ? (RANK_TIMES * each + RANK_EACH) / ranks + (draws ? PICTURE_EACH : 0) : each;
}

double firn_scene_rank_need(const firn_scene_data* scene, double particles, int ranks, bool first)
{
    const double fixed = ranks > 1 ? RANK_FIXED + (first ? RANK_0_FIXED : 0) : PROCESS_FIXED;
    return fixed + particles * rank_each(scene, ranks, first);
}

firn_result firn_scene_fit(const firn_scene_data* scene, const firn_scene_size* size, int ranks,
                           uint64_t cap, firn_error* error)
{
    return fit_host(scene, size, rank_each(scene, ranks, true), cap, error);
}

bool firn_scene_outgrows(const firn_scene_data* scene, const firn_scene_size* size, uint64_t cap,
                         firn_error* out_why)
{
    char text[200];
    const double each = firn_solvers[scene->solver]->estimate(scene).bytes_per_particle;
    const double sure = size->particles - size->snow + size->snow_least;
    const allowance a = find_allowance(cap);
    if (scene->cull.active || size->particles <= size->snow) return false;
    if (sure <= INT32_MAX && CERTAIN * sure * each <= a.bytes) return false;
    print_need(size->particles, size->particles * each, &a, text, sizeof text);
    firn_fail(
        out_why, FIRN_REFUSED_SCENE,
        "flakes until the end: %s; the run will stop there: use a lower 'rate', a 'limit', or "
        "'cull'",
        text);
    return true;
}

// A volume of the wind.
static double wind_bytes(const firn_scene_data* scene)
{
    const firn_velocity_volume* wind = scene->air.volume.velocities;
    if (wind == NULL || !firn_solvers[scene->solver]->drags) return 0;
    const int32_t* size = wind->grid.size;
    return (double)size[0] * size[1] * size[2] * (sizeof *wind->grid.value + 1);
}

// The points that a tick of the powder may shed.
static double powder_bytes(const firn_scene_data* scene)
{
    if (!scene->powder.active || !firn_solvers[scene->solver]->sheds) return 0;
    return (double)scene->powder.max * sizeof(firn_powder_birth);
}

double firn_scene_device_need(const firn_scene_data* scene, double particles)
{
    const firn_solver_estimate e = firn_solvers[scene->solver]->estimate(scene);
    const double each = e.device_bytes_per_particle;
    if (!(each > 0)) return 0;
    return particles * each + fmin(particles, STAGED) * STAGED_EACH + DEVICE_TABLES +
           e.device_bytes_fixed + wind_bytes(scene) + powder_bytes(scene);
}

firn_result firn_scene_fit_device(const firn_scene_data* scene, const firn_scene_size* size,
                                  const firn_scene_card* card, uint64_t cap, firn_error* error)
{
    char advice[160], need_text[FIRN_BYTES_TEXT];
    const firn_solver_estimate e = firn_solvers[scene->solver]->estimate(scene);
    const double least = DEVICE_CERTAIN * firn_scene_device_need(scene, size->snow_least);
    const double all = (double)card->bytes, need = firn_scene_device_need(scene, size->snow);
    if (card->bytes == 0 || least <= all)
        return fit_host(scene, size, e.host_bytes_per_particle, cap, error);
    advise(scene, need / all, advice, sizeof advice);
    return firn_fail(error, FIRN_BROKEN_MEMORY,
                     "about %.3g particles take about %s of the memory of %s: %s, or backend cpu",
                     size->snow, firn_bytes_text(need, need_text), card->name, advice);
}

firn_result firn_scene_fit_device_quick(const firn_scene_data* scene, const firn_scene_card* card,
                                        uint64_t cap, firn_error* error)
{
    const firn_solver_estimate e = firn_solvers[scene->solver]->estimate(scene);
    const double most = most_snow(scene, e.cell);
    const allowance a = find_allowance(cap);
    const bool here = most < INT32_MAX && CERTAIN * most * e.host_bytes_per_particle < a.bytes;
    const bool there = card->bytes == 0 ||
                       DEVICE_CERTAIN * firn_scene_device_need(scene, most) < (double)card->bytes;
    if (here && there) return FIRN_OK;
    const firn_scene_size size = firn_scene_measure(scene);
    return firn_scene_fit_device(scene, &size, card, cap, error);
}

firn_result firn_scene_fit_quick(const firn_scene_data* scene, int ranks, uint64_t cap,
                                 firn_error* error)
{
    const firn_solver_estimate e = firn_solvers[scene->solver]->estimate(scene);
    const double most = most_snow(scene, e.cell);
    const allowance a = find_allowance(cap);
    if (most < INT32_MAX && CERTAIN * most * rank_each(scene, ranks, true) < a.bytes)
        return FIRN_OK;
    const firn_scene_size size = firn_scene_measure(scene);
    return firn_scene_fit(scene, &size, ranks, cap, error);
}
