// SPDX-License-Identifier: MIT
// Step 1: load a scene that ships with firn, step it, and follow the snow's centre of mass.
//     cc step1.c $(pkg-config --cflags --libs firn) -o step1 && ./step1
#include <stdio.h>

#include "firn/firn.h"

// Fields are arrays, one element per particle, borrowed from the simulation until the next step.
static int print_centre_of_mass(const firn_sim* sim)
{
    firn_field_view position, mass;
    if (firn_sim_field(sim, "position", &position) != FIRN_OK) return 1;
    if (firn_sim_field(sim, "mass", &mass) != FIRN_OK) return 1;
    const firn_vec3* x = position.data;
    const firn_real* m = mass.data;
    double total = 0, sum[3] = {0, 0, 0};
    for (firn_local p = 0; p < position.count; p++) {
        total += m[p];
        sum[0] += (double)m[p] * x[p].x;
        sum[1] += (double)m[p] * x[p].y;
        sum[2] += (double)m[p] * x[p].z;
    }
    const firn_sim_info now = firn_sim_read(sim);
    printf("frame %2d  time %.4f s  step %4d  centre of mass (%+.4f, %+.4f, %+.4f) m\n",
           (int)now.frame, now.time, (int)now.step, sum[0] / total, sum[1] / total, sum[2] / total);
    return 0;
}

int main(void)
{
    // A scene is the input. Here: a shipped one on a coarser grid, so that it takes a second.
    firn_scene* scene = NULL;
    if (firn_scene_create(&scene) != FIRN_OK) return 1;
    const char* const coarse[] = {"mpm.cell=0.02"};
    firn_load_def load = firn_default_load_def();
    load.overrides = coarse;
    load.override_count = 1;
    if (firn_scene_load(scene, "snowball-drop", &load) != FIRN_OK) {
        fputs(firn_scene_messages(scene), stderr);  // all mistakes, with their lines
        firn_scene_destroy(scene);
        return 1;
    }

    // A simulation has the state. It has copied the scene, which may be destroyed.
    firn_sim_def def = firn_default_sim_def();  // all cores, nothing written to disk
    firn_sim* sim = NULL;
    const firn_result created = firn_sim_create(scene, &def, &sim, NULL);
    firn_scene_destroy(scene);
    if (created != FIRN_OK) {
        fprintf(stderr, "%s\n", firn_last_error());
        return 1;
    }

    int failed = print_centre_of_mass(sim);
    for (int frame = 1; frame <= 8 && !failed; frame++) {
        if (firn_sim_frame(sim) != FIRN_OK) {  // as many sub-steps as it takes to the next frame
            fprintf(stderr, "%s\n", firn_last_error());
            failed = 1;
        } else {
            failed = print_centre_of_mass(sim);
        }
    }
    firn_sim_destroy(sim);
    return failed;
}
