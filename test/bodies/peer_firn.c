// SPDX-License-Identifier: MIT
// The same stack in firn (peers.sh runs it beside the others): through the C API, with grains.
#include <stdlib.h>

#include "firn/firn.h"
#include "peer_stack.h"

#define MUST(call)                                                 \
    do {                                                           \
        if ((call) != FIRN_OK) {                                   \
            fprintf(stderr, "%s: %s\n", #call, firn_last_error()); \
            exit(1);                                               \
        }                                                          \
    } while (0)

int main(void)
{
    firn_scene* scene;
    firn_sim* sim;
    MUST(firn_scene_create(&scene));
    MUST(firn_scene_set(scene, "solver", "grains"));
    MUST(firn_scene_set(scene, "grains.dt", "0.001"));
    MUST(firn_scene_set(scene, "grains.radius", "0.05"));
    firn_collider_def floor = firn_default_collider_def(), cube = firn_default_collider_def();
    MUST(firn_scene_plane(scene, (firn_vec3){0, 0, 0}, (firn_vec3){0, 1, 0}, &floor.shape));
    MUST(firn_scene_box(scene, (firn_vec3){0, 0, 0},
                        (firn_vec3){(firn_real)EDGE, (firn_real)EDGE, (firn_real)EDGE}, 0,
                        &cube.shape));
    firn_snow_def snow = firn_default_snow_def();  // a simulation needs some, far away
    MUST(firn_scene_sphere(scene, (firn_vec3){5, (firn_real)0.1, 0}, (firn_real)0.1, &snow.shape));
    MUST(firn_scene_add_snow(scene, &snow, NULL));
    floor.friction = cube.friction = (firn_real)0.5;
    MUST(firn_scene_add_collider(scene, &floor, NULL));
    for (int k = 0; k < CUBES; k++) {
        cube.mass = (firn_real)peer_mass(k);
        cube.position.y = (firn_real)(EDGE * (k + 0.5));
        MUST(firn_scene_add_collider(scene, &cube, NULL));
    }
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    MUST(firn_sim_create(scene, &def, &sim, NULL));
    peer_stack t = {0};
    const clock_t begin = clock();
    for (int s = 0; s < STEPS; s++) {
        double x[CUBES][3];
        MUST(firn_sim_advance_by(sim, DT, 0, NULL));
        for (int k = 0; k < CUBES; k++) {
            firn_collider_id id;
            firn_body_info info;
            MUST(firn_sim_body_at(sim, k + 1, &id));
            MUST(firn_sim_body(sim, id, &info));
            x[k][0] = (double)info.pose.position.x;
            x[k][1] = (double)info.pose.position.y;
            x[k][2] = (double)info.pose.position.z;
        }
        peer_measure(&t, (const double(*)[3])x, 1);
    }
    peer_print("firn", &t, begin);
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return t.drift < 0.01 && t.overlap < 0.01 ? 0 : 1;
}
