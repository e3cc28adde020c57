// SPDX-License-Identifier: MIT
// Scenes as a user runs them: text of a scene file in, particle fields out, by the public
// functions.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "firn/firn.h"

// A simulation of `text`, on one thread, with what FIRN_TEST_SIMD names.
static inline firn_sim* as_run_create(const char* text)
{
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    firn_error error;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, text, "test", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.simd = getenv("FIRN_TEST_SIMD");
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

// Steps frame by frame until `time` [s].
static inline void as_run_until(firn_sim* sim, double time)
{
    while (firn_sim_read(sim).time < time - 1e-9)
        if (firn_sim_frame(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
}

// Field of reals; the view is valid until the next step.
static inline firn_field_view as_run_field(const firn_sim* sim, const char* name)
{
    firn_field_view view;
    if (firn_sim_field(sim, name, &view) != FIRN_OK) fail_msg("no field %s", name);
    return view;
}

// Value `k` of particle `i`.
static inline double as_run_value(const firn_field_view* view, int64_t i, int k)
{
    return (double)((const firn_real*)view->data)[i * (view->type == FIRN_FIELD_VEC3 ? 3 : 1) + k];
}
