// SPDX-License-Identifier: MIT
// Step 4: the loop of a game at 60 frames per second: a plow that the program moves, a time budget
// for the snow, particles without copying, and a height field at the end.
#include <stdio.h>

#include "firn/firn.h"

static const firn_vec3 start = {-1.8f, 0.45f, 0};  // [m] of the plow

// A bed of fresh snow on the ground, and a plow in front of it. False: see firn_scene_messages.
static bool build(firn_scene* scene, firn_collider_id* out_plow)
{
    const firn_vec3 origin = {0, 0, 0}, up = {0, 1, 0}, middle = {0, 0.15f, 0};
    const firn_vec3 bed_size = {3, 0.3f, 1.5f}, blade_size = {0.2f, 0.8f, 1};  // [m]
    firn_shape_id ground = {0}, bed = {0}, blade = {0};
    firn_snow_id snow_id;
    bool good = firn_scene_set(scene, "solver", "grains") == FIRN_OK &&
                firn_scene_set(scene, "grains.radius", "0.05") == FIRN_OK &&
                firn_scene_plane(scene, origin, up, &ground) == FIRN_OK &&
                firn_scene_box(scene, middle, bed_size, 0, &bed) == FIRN_OK &&
                firn_scene_box(scene, origin, blade_size, 0.02f, &blade) == FIRN_OK;
    firn_material_def fresh = firn_default_material_def();
    fresh.density = 100;  // [kg/m^3]
    firn_snow_def snow = firn_default_snow_def();
    snow.shape = bed;
    good = good && firn_scene_add_material(scene, &fresh, &snow.material) == FIRN_OK &&
           firn_scene_add_snow(scene, &snow, &snow_id) == FIRN_OK;
    firn_collider_def body = firn_default_collider_def();
    body.shape = ground;
    good = good && firn_scene_add_collider(scene, &body, NULL) == FIRN_OK;
    body.shape = blade;
    body.position = start;
    return good && firn_scene_add_collider(scene, &body, out_plow) == FIRN_OK;
}

// Data for drawing: the simulation's own arrays, valid until the next step.
static void look(const firn_sim* sim, const firn_advance* done)
{
    firn_field_view x, r, t, phase;
    if (firn_sim_field(sim, "position", &x) != FIRN_OK ||
        firn_sim_field(sim, "radius", &r) != FIRN_OK ||
        firn_sim_field(sim, "temperature", &t) != FIRN_OK ||
        firn_sim_field(sim, "phase", &phase) != FIRN_OK)
        return;
    const firn_vec3* position = x.data;                       // [m]
    const firn_real *radius = r.data, *temperature = t.data;  // [m], [degC]
    const uint8_t* state = phase.data;                        // 0 snow, 1 ice, 2 water
    firn_local top = 0;
    for (firn_local p = 1; p < x.count; p++)
        if (position[p].y + radius[p] > position[top].y + radius[top]) top = p;
    printf("%.3f s: %d steps in %.1f ms; highest of %d grains: %.3f m, %.1f degC, %s\n",
           firn_sim_read(sim).time, (int)done->steps, 1e3 * done->wall, (int)x.count,
           (double)(position[top].y + radius[top]), (double)temperature[top],
           state[top] == 2 ? "water" : "frozen");
}

static firn_result play(firn_sim* sim, firn_collider_id plow_id)
{
    firn_body_pose plow = {.position = start, .rotation = {1, 0, 0, 0}, .scale = 1};
    plow.velocity.x = 2;  // [m/s]; until the next call
    firn_advance done = {0};
    firn_result r = FIRN_OK;
    for (int frame = 0; frame < 90 && r == FIRN_OK; frame++) {
        plow.position.x += plow.velocity.x * (firn_real)done.simulated;
        r = firn_sim_body_move(sim, plow_id, &plow);
        if (r == FIRN_OK) r = firn_sim_advance_by(sim, 1.0 / 60, 0.008, &done);
        if (r == FIRN_OK && frame % 15 == 14) look(sim, &done);
    }
    static float heights[256 * 256];
    firn_height_def def = firn_default_height_def();  // 256 x 256 samples
    if (r == FIRN_OK) r = firn_sim_height_box(sim, &def);
    if (r == FIRN_OK) r = firn_sim_heights(sim, &def, heights);
    if (r == FIRN_OK)
        printf("terrain of %.2f x %.2f m, %.3f m in the middle\n", def.width, def.depth,
               (double)heights[128 * 256 + 128]);
    return r;
}

int main(void)
{
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    if (firn_scene_create(&scene) != FIRN_OK) return 1;
    firn_collider_id plow = {0};
    if (!build(scene, &plow)) {
        fputs(firn_scene_messages(scene), stderr);
        firn_scene_destroy(scene);
        return 1;
    }
    const firn_sim_def def = firn_default_sim_def();
    firn_result result = firn_sim_create(scene, &def, &sim, NULL);
    firn_scene_destroy(scene);
    if (result == FIRN_OK) result = play(sim, plow);
    if (result != FIRN_OK) fprintf(stderr, "%s\n", firn_last_error());
    firn_sim_destroy(sim);
    return result != FIRN_OK;
}
