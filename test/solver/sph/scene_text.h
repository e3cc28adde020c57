// SPDX-License-Identifier: MIT
// A simulation of a scene's text on one thread, as users run it; FIRN_TEST_BACKEND=cuda: on a GPU.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "firn/firn.h"
#include "firn_test.h"

static inline firn_sim* start(const char* text)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, text, "test", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim* sim = NULL;
    firn_error error;
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    if (getenv("FIRN_TEST_BACKEND") != NULL) def.backend = getenv("FIRN_TEST_BACKEND");
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

static inline void run_frames(firn_sim* sim, int count)
{
    for (int f = 0; f < count; f++)
        if (firn_sim_frame(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
}
