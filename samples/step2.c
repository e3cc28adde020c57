// SPDX-License-Identifier: MIT
// Step 2: build a scene from code (a floor, a ball of wet snow) and read fields without copying.
#include <stdio.h>

#include "firn/firn.h"

// Builds the scene. Stops at the first refusal; firn_scene_messages says what is wrong.
static firn_result build(firn_scene* scene)
{
    firn_shape_id ground = {0}, ball = {0};
    firn_result r = firn_scene_plane(scene, (firn_vec3){0, 0, 0}, (firn_vec3){0, 1, 0}, &ground);
    if (r == FIRN_OK) r = firn_scene_sphere(scene, (firn_vec3){0, 0.12f, 0}, 0.1f, &ball);
    if (r != FIRN_OK) return r;

    firn_material_def wet = firn_default_material_def();
    wet.name = "wet";
    wet.density = 500;  // [kg/m^3]; other constants are those of table 2 of Stomakhin et al. 2013
    wet.young = 1e5f;   // [Pa]
    firn_material_id material = {0};
    r = firn_scene_add_material(scene, &wet, &material);

    firn_snow_def snow = firn_default_snow_def();
    snow.shape = ball;
    snow.material = material;
    snow.velocity = (firn_vec3){1, -3, 0};  // [m/s]
    firn_snow_id snow_id;
    if (r == FIRN_OK) r = firn_scene_add_snow(scene, &snow, &snow_id);

    firn_collider_def floor_def = firn_default_collider_def();
    floor_def.shape = ground;
    floor_def.friction = 0.6f;
    firn_collider_id floor_id;
    if (r == FIRN_OK) r = firn_scene_add_collider(scene, &floor_def, &floor_id);

    // Every key of a scene file that is not in a list can be set by its name.
    if (r == FIRN_OK) r = firn_scene_set(scene, "mpm.cell", "0.025");
    return r;
}

static void print_fields(const firn_sim* sim)
{
    for (int i = 0; i < firn_sim_field_count(sim); i++) {
        firn_field_view field;
        if (firn_sim_field_at(sim, i, &field) != FIRN_OK) continue;
        printf("  %-20s [%s] at %p\n", field.name, field.unit, field.data);
    }
}

static void print_height(const firn_sim* sim)
{
    firn_field_view field;
    if (firn_sim_field(sim, "position", &field) != FIRN_OK) return;
    const firn_vec3* x = field.data;  // the simulation's own array
    firn_real low = x[0].y, high = x[0].y;
    for (firn_local p = 1; p < field.count; p++) {
        if (x[p].y < low) low = x[p].y;
        if (x[p].y > high) high = x[p].y;
    }
    const firn_sim_info now = firn_sim_read(sim);
    printf("time %.4f s  %d particles from %.4f to %.4f m, kinetic energy %.3f J\n", now.time,
           (int)now.particle_count, (double)low, (double)high, now.kinetic);
}

int main(void)
{
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    if (firn_scene_create(&scene) != FIRN_OK) return 1;
    if (build(scene) != FIRN_OK) {
        fputs(firn_scene_messages(scene), stderr);
        firn_scene_destroy(scene);
        return 1;
    }
    const firn_sim_def def = firn_default_sim_def();
    firn_result result = firn_sim_create(scene, &def, &sim, NULL);
    if (result == FIRN_OK) print_fields(sim);
    for (int step = 0; step < 20 && result == FIRN_OK; step++) {
        result = firn_sim_step(sim);  // one sub-step; its length is chosen by the solver
        if (result == FIRN_OK && step % 5 == 4) print_height(sim);
    }
    if (result != FIRN_OK) fprintf(stderr, "%s\n", firn_last_error());
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return result != FIRN_OK;
}
