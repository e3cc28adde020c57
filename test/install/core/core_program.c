// SPDX-License-Identifier: MIT
// A stranger's program on libfirn-core: builds a scene from code, steps it with all three solvers
// and prints the hash of each state. The whole library must print the same.
#include <stdio.h>

#include "firn/firn.h"

#define TRY(call)                                                         \
    do {                                                                  \
        const firn_result result = (call);                                \
        if (result != FIRN_OK) return fail(#call, result, scene, &error); \
    } while (0)

static int fail(const char* call, firn_result result, const firn_scene* scene,
                const firn_error* error)
{
    fprintf(stderr, "%s: %d\n%s%s\n", call, (int)result, firn_scene_messages(scene), error->text);
    return 1;
}

static int simulate(const char* solver, const char* size_key, const char* size)
{
    firn_error error = {FIRN_OK, ""};
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    firn_shape_id ball, floor;
    TRY(firn_scene_create(&scene));
    TRY(firn_scene_set(scene, "solver", solver));
    TRY(firn_scene_set(scene, size_key, size));
    TRY(firn_scene_set(scene, "gravity", "[0, -9.81, 0]"));
    TRY(firn_scene_sphere(scene, (firn_vec3){0, (firn_real)0.14, 0}, (firn_real)0.1, &ball));
    TRY(firn_scene_plane(scene, (firn_vec3){0, 0, 0}, (firn_vec3){0, 1, 0}, &floor));
    firn_snow_def snow = firn_default_snow_def();
    snow.shape = ball;
    snow.velocity = (firn_vec3){1, -2, 0};
    TRY(firn_scene_add_snow(scene, &snow, NULL));
    firn_collider_def ground = firn_default_collider_def();
    ground.shape = floor;
    TRY(firn_scene_add_collider(scene, &ground, NULL));

    firn_sim_def def = firn_default_sim_def();
    def.threads = 2;
    TRY(firn_sim_create(scene, &def, &sim, &error));
    for (int k = 0; k < 20; k++) {
        const firn_result result = firn_sim_step(sim);
        if (result != FIRN_OK) {
            fprintf(stderr, "%s\n", firn_sim_error(sim));
            return 1;
        }
    }
    const firn_sim_info info = firn_sim_read(sim);
    printf("%s %d particles %016llx\n", solver, (int)info.particle_count,
           (unsigned long long)firn_sim_hash(sim));
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return info.particle_count > 100 ? 0 : 1;
}

int main(void)
{
    return simulate("mpm", "mpm.cell", "0.02") != 0 ||
           simulate("sph", "sph.spacing", "0.01") != 0 ||
           simulate("grains", "grains.radius", "5 mm") != 0;
}
