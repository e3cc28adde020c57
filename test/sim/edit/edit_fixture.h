// SPDX-License-Identifier: MIT
// Small simulations of every solver: what the tests of firn/edit.h share.
#pragma once
#include <stdlib.h>

#include "firn/edit.h"
#include "sim/play_fixture.h"

// A block of snow over a floor, and a box that a caller may move.
#define EDIT_REST                                                               \
    "time: {frames: 20, fps: 100}\n"                                            \
    "snow:\n  - shape: {box: {center: [0, 0.1, 0], size: [0.24, 0.2, 0.24]}}\n" \
    "colliders:\n  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"   \
    "  - shape: {box: {center: [0, 0, 0], size: [0.1, 0.4, 0.4]}}\n"            \
    "    position: [-0.4, 0, 0]\n"                                              \
    "output: {preview: false, film: false, points: [vtkhdf]}\n"

static const struct {
    const char *name, *text;
} edit_scenes[] = {
    {"ballistic", "firn: 1\nsolver: ballistic\nballistic: {spacing: 0.03, dt: 0.002}\n" EDIT_REST},
    {"mpm", "firn: 1\nsolver: mpm\nmpm: {cell: 0.04, integrator: explicit}\n" EDIT_REST},
    {"sph",
     "firn: 1\nsolver: sph\nsph: {spacing: 0.03}\nair: {drag: false, temperature: -5}\n" EDIT_REST},
    {"grains", "firn: 1\nsolver: grains\ngrains: {radius: 0.012}\n" EDIT_REST},
};
enum { EDIT_SCENES = sizeof edit_scenes / sizeof *edit_scenes };

// Fails the test unless the call succeeded.
#define EDIT_OK(sim, call)                                                  \
    do {                                                                    \
        if ((call) != FIRN_OK) fail_msg(#call ": %s", firn_sim_error(sim)); \
    } while (0)

static inline void edit_steps(firn_sim* sim, int count)
{
    for (int k = 0; k < count; k++) EDIT_OK(sim, firn_sim_step(sim));
}

// Owned by the caller.
static inline void* edit_save(firn_sim* sim, size_t* out_size)
{
    EDIT_OK(sim, firn_sim_save(sim, NULL, 0, out_size));
    void* block = malloc(*out_size);
    assert_non_null(block);
    EDIT_OK(sim, firn_sim_save(sim, block, *out_size, out_size));
    return block;
}
