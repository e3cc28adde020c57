// SPDX-License-Identifier: MIT
// A simulation from a scene's text: what the tests of play.h share.
#pragma once
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "firn_test.h"
#include "sim/sim.h"

static inline firn_sim* play_start_def(const char* text, firn_sim_def def)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const firn_load_def load = firn_default_load_def();
    if (firn_scene_load_text(scene, text, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim* sim = NULL;
    firn_error error;
    def.threads = 2;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

static inline firn_sim* play_start(const char* text)
{
    return play_start_def(text, firn_default_sim_def());
}

static inline void play_frames(firn_sim* sim, int count)
{
    for (int f = 0; f < count; f++)
        if (firn_sim_frame(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
}

static inline firn_body_pose play_pose(double x, double y, double z)
{
    return (firn_body_pose){.position = {(firn_real)x, (firn_real)y, (firn_real)z},
                            .rotation = {1, 0, 0, 0},
                            .scale = 1};
}
