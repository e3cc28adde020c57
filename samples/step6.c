// SPDX-License-Identifier: MIT
// Step 6: dig, throw, melt and push at 60 frames per second, with a fixed time for the snow in each
// frame, and a terrain of 1024 x 1024 heights that follows the snow.
//     sample_step6 [FRAMES]      60 by default; 1200 are 20 seconds
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "firn/firn.h"

#define BUDGET 0.008  // [s] for the snow in each frame; the rest of 1/60 s is the program's

// What the program keeps: the simulation, and a scene that stores what it adds and removes. Shapes
// there are around the origin and are placed when they are used.
typedef struct game {
    firn_sim* sim;
    firn_scene* prefabs;
    firn_snow_def ball;        // of `prefabs`
    firn_shape_id shovel;      // of `prefabs`
    firn_collider_id crate;    // dynamic
    firn_heights* terrain;     // over the bed
    int64_t dug, thrown;       // grains; balls
    int64_t uploaded;          // samples of the terrain that have changed
    double times[1 << 16];     // [s] of each frame
    double updates[1 << 16];   // [s] of the terrain in each frame
    int frames, over, behind;  // over: longer than the budget; behind: slower than real time
} game;

// ---- the scene ----------------------------------------------------------------------------------

static firn_vec3 at(double x, double y, double z)
{
    return (firn_vec3){(firn_real)x, (firn_real)y, (firn_real)z};
}

// A bed of fresh snow with a crate on it. False: see firn_scene_messages.
static bool build(firn_scene* scene, game* g)
{
    firn_material_def fresh = firn_default_material_def();
    fresh.density = 150;  // [kg/m^3]
    firn_snow_def bed = firn_default_snow_def();
    firn_collider_def ground = firn_default_collider_def(), crate = firn_default_collider_def();
    crate.mass = 20;  // [kg]
    crate.position = at(0.9, 0.6, 0);
    return firn_scene_set(scene, "solver", "grains") == FIRN_OK &&
           firn_scene_set(scene, "grains.radius", "0.06") == FIRN_OK &&
           firn_scene_set(scene, "grains.heat_speed", "20000") == FIRN_OK &&  // a day in 4 s
           firn_scene_plane(scene, at(0, 0, 0), at(0, 1, 0), &ground.shape) == FIRN_OK &&
           firn_scene_add_collider(scene, &ground, NULL) == FIRN_OK &&
           firn_scene_box(scene, at(0, 0, 0), at(0.4, 0.4, 0.4), 0, &crate.shape) == FIRN_OK &&
           firn_scene_add_collider(scene, &crate, &g->crate) == FIRN_OK &&
           firn_scene_box(scene, at(0, 0.15, 0), at(2.6, 0.3, 1.6), 0, &bed.shape) == FIRN_OK &&
           firn_scene_add_material(scene, &fresh, &bed.material) == FIRN_OK &&
           firn_scene_add_snow(scene, &bed, NULL) == FIRN_OK;
}

// What is thrown and what digs. The material has the constants of the bed's.
static bool build_prefabs(game* g)
{
    firn_material_def fresh = firn_default_material_def();
    fresh.density = 150;
    g->ball = firn_default_snow_def();
    return firn_scene_create(&g->prefabs) == FIRN_OK &&
           firn_scene_set(g->prefabs, "solver", "grains") == FIRN_OK &&
           firn_scene_add_material(g->prefabs, &fresh, &g->ball.material) == FIRN_OK &&
           firn_scene_sphere(g->prefabs, at(0, 0, 0), (firn_real)0.18, &g->ball.shape) == FIRN_OK &&
           firn_scene_sphere(g->prefabs, at(0, 0, 0), (firn_real)0.25, &g->shovel) == FIRN_OK;
}

static firn_result build_terrain(game* g)
{
    firn_height_def def = firn_default_height_def();
    def.x = -1.3, def.z = -0.8, def.width = 2.6, def.depth = 1.6;
    def.columns = def.rows = 1024;
    def.tolerance = 0.006;  // [m] a tenth of a grain's radius
    return firn_heights_create(&def, &g->terrain, NULL);
}

// ---- what a player does, between two steps ------------------------------------------------------

// A shovel of 25 cm goes through the bed once in four seconds.
static firn_result dig(game* g, int frame)
{
    const firn_placement where = {at(-1.2 + 0.01 * (frame % 240), 0.25, 0.4), {1, 0, 0, 0}};
    int64_t count = 0;
    const firn_result r = firn_sim_remove_snow(g->sim, g->prefabs, g->shovel, &where, &count);
    g->dug += count;
    return r;
}

// A snowball from the left. No room for it, or too many grains: not an error of the game.
static firn_result throw_ball(game* g)
{
    const firn_placement where = {at(-1.6, 0.9, -0.3), {1, 0, 0, 0}};
    g->ball.velocity = at(5, 1, 0);  // [m/s]
    const firn_result r = firn_sim_add_snow(g->sim, g->prefabs, &g->ball, &where, NULL);
    g->thrown += r == FIRN_OK;
    return r > 0 ? FIRN_OK : r;
}

static firn_result play(game* g, int frame)
{
    firn_result r = FIRN_OK;
    if (frame % 3 == 0) r = dig(g, frame);
    if (r == FIRN_OK && frame % 40 == 10) r = throw_ball(g);
    if (r == FIRN_OK && frame % 120 == 30)  // a thaw, and frost again
        r = firn_sim_set_temperature(g->sim, frame % 240 == 30 ? 10 : -5);
    if (r == FIRN_OK && frame % 60 == 45)  // a kick [N s]
        r = firn_sim_body_impulse(g->sim, g->crate, at(frame % 120 == 45 ? -30 : 30, 10, 0), NULL);
    return r;
}

// ---- the loop -----------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Everything that the snow costs in a frame: what the player does, then as many steps as fit.
static firn_result frame(game* g)
{
    const double start = now();
    firn_advance done = {0};
    firn_result r = play(g, g->frames);
    const double left = BUDGET - (now() - start);
    // at least one step; it is expected to end in time, judged by the last ones
    if (r == FIRN_OK) r = firn_sim_advance_by(g->sim, 1.0 / 60, left > 1e-6 ? left : 1e-6, &done);
    const double taken = now() - start;
    g->times[g->frames] = taken;
    g->over += taken > BUDGET;
    g->behind += done.behind > 0;
    return r;
}

// The terrain for the display: an engine sends the samples in `changed` to its GPU.
static firn_result show(game* g)
{
    const double start = now();
    firn_rect changed = {0};
    const firn_result r = firn_heights_update(g->terrain, g->sim, &changed);
    g->updates[g->frames++] = now() - start;
    g->uploaded += (int64_t)changed.columns * changed.rows;
    return r;
}

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Water, and ice that was water (phases 2 and 1): from the simulation's own array.
static int count_melted(const firn_sim* sim)
{
    firn_field_view phase;
    int count = 0;
    if (firn_sim_field(sim, "phase", &phase) != FIRN_OK) return 0;
    for (firn_local p = 0; p < phase.count; p++) count += ((const uint8_t*)phase.data)[p] > 0;
    return count;
}

static void print_times(const char* what, double* times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    printf("%s: p50 %.2f ms, p99 %.2f ms, worst %.2f ms", what, 1e3 * times[count / 2],
           1e3 * times[count * 99 / 100], 1e3 * times[count - 1]);
}

static void report(game* g)
{
    firn_body_info crate;
    if (firn_sim_body(g->sim, g->crate, &crate) == FIRN_OK)
        printf("%d grains, %d melted; %d dug away, %d snowballs; crate at (%.2f, %.2f, %.2f) m\n",
               (int)firn_sim_read(g->sim).particle_count, count_melted(g->sim), (int)g->dug,
               (int)g->thrown, (double)crate.pose.position.x, (double)crate.pose.position.y,
               (double)crate.pose.position.z);
    printf("%d frames; ", g->frames);
    print_times("snow", g->times, g->frames);
    printf("; %d over %.0f ms, %d behind\n", g->over, 1e3 * BUDGET, g->behind);
    print_times("terrain of 1024 x 1024", g->updates, g->frames);
    printf("; %d samples changed per frame\n", (int)(g->uploaded / g->frames));
}

int main(int count, char** arguments)
{
    static game g;
    const int most = (int)(sizeof g.times / sizeof *g.times);
    const int wanted = count > 1 ? atoi(arguments[1]) : 60, frames = wanted < most ? wanted : most;
    firn_scene* scene = NULL;
    firn_sim_def def = firn_default_sim_def();
    def.particles_max = 20000;  // room for all snow that will be thrown: no step allocates
    if (firn_scene_create(&scene) != FIRN_OK) return 1;
    if (!build(scene, &g)) fputs(firn_scene_messages(scene), stderr);
    if (!build_prefabs(&g)) fputs(firn_scene_messages(g.prefabs), stderr);
    firn_result r = firn_sim_create(scene, &def, &g.sim, NULL);
    firn_scene_destroy(scene);
    if (r == FIRN_OK) r = build_terrain(&g);
    while (r == FIRN_OK && g.frames < frames) {
        r = frame(&g);
        if (r == FIRN_OK) r = show(&g);
        // here: draw terrain and grains (firn_sim_field), then wait for the display
    }
    if (r != FIRN_OK) fprintf(stderr, "%s\n", firn_last_error());
    if (r == FIRN_OK && g.frames > 0) report(&g);
    firn_heights_destroy(g.terrain);
    firn_sim_destroy(g.sim);
    firn_scene_destroy(g.prefabs);
    return r == FIRN_OK && g.dug > 0 && g.thrown > 0 ? 0 : 1;
}
