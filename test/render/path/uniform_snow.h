// SPDX-License-Identifier: MIT
// A box of even snow with sharp sides, every block of the window the same one; and even skies.
#pragma once
#include "core/memory.h"
#include "firn_test.h"
#include "render/path/lights.h"
#include "render/path/medium.h"

// `sigma` [1/m]; the box spans blocks of 8 x `voxel` [m] from the origin.
static inline firn_medium uniform_snow(double sigma, double voxel, int nx, int ny, int nz,
                                       const float albedo[3], float g)
{
    firn_medium m = {.voxel = voxel,
                     .size = {nx, ny, nz},
                     .block_count = 1,
                     .albedo = {albedo[0], albedo[1], albedo[2]},
                     .g = g};
    m.table = firn_alloc((size_t)nx * (size_t)ny * (size_t)nz, sizeof *m.table);
    m.at = firn_alloc(1, sizeof *m.at);
    m.nodes = firn_alloc(FIRN_MEDIUM_NODES, sizeof *m.nodes);
    m.cells = firn_alloc(1, sizeof *m.cells);
    assert_non_null(m.table);
    assert_non_null(m.at);
    assert_non_null(m.nodes);
    assert_non_null(m.cells);
    for (int k = 0; k < FIRN_MEDIUM_NODES; k++) m.nodes[k] = (float)(sigma * voxel);
    return m;
}

// Every direction above the horizon shines with `upper`, every one below with `lower`. `sampled`:
// by next-event estimation, too.
static inline firn_lights two_skies(float upper, float lower, bool sampled)
{
    firn_lights lights = {.environment_strength = 1, .probability = {0, sampled ? 1 : 0}};
    firn_rgb texels[8];
    for (int k = 0; k < 8; k++) {
        const float l = k < 4 ? upper : lower;
        texels[k] = firn_rgb_of(l, l, l);
    }
    assert_int_equal(firn_environment_create(&lights.environment, texels, 4, 2, 0, NULL), FIRN_OK);
    return lights;
}
