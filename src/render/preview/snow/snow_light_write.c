// SPDX-License-Identifier: MIT
// What cones and shading read of the solved light: levels with ghost layers, and a coarse level.
// Each block is written by one thread.
#include "core/threads/team.h"
#include "render/preview/snow/snow_light_own.h"

#define INSIDE 1e-3f  // interpolation weight of cells without a surface

// Cells at the slots of a block with its ghost layer; FIRN_SNOW_AIR: none.
static void find_slots(const firn_light_work* w, int32_t block, int32_t out_cells[FIRN_SNOW_MID])
{
    const firn_snow_volume* v = &w->view->volume;
    const int32_t* at = v->at[block];
    int32_t around[27];
    for (int32_t n = 0; n < 27; n++)
        around[n] = firn_snow_block_in(
            v, (const int32_t[3]){at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1});
    for (int32_t k = 0; k < FIRN_SNOW_MID; k++) {
        const int32_t at6[3] = {k % 6 - 1, k / 6 % 6 - 1, k / 36 - 1};
        int32_t place = 0;
        for (int a = 0; a < 3; a++) place |= (at6[a] & 3) << (2 * a);
        const int32_t other =
            around[(at6[0] + 4) / 4 + (at6[1] + 4) / 4 * 3 + (at6[2] + 4) / 4 * 9];
        out_cells[k] = other >= 0 ? w->index[other * 64 + place] : FIRN_SNOW_AIR;
    }
}

// Whether a slot is in the block itself, not in its ghost layer.
static bool is_own(int32_t k)
{
    const int32_t x = k % 6, y = k / 6 % 6, z = k / 36;
    return x >= 1 && x <= 4 && y >= 1 && y <= 4 && z >= 1 && z <= 4;
}

// Notes the cells with a surface, and the occupancy of snow cells: crumbs do not occlude.
static void find_open_range(const void* self, firn_local begin, firn_local end)
{
    const firn_light_work* w = self;
    const firn_snow_volume* v = &w->view->volume;
    for (firn_local b = begin; b < end; b++) {
        int32_t cells[FIRN_SNOW_MID];
        find_slots(w, b, cells);
        const size_t first = (size_t)b * FIRN_SNOW_MID;
        float full = 0;
        for (int32_t k = 0; k < FIRN_SNOW_MID; k++) {
            const int32_t i = cells[k];
            w->open[first + (size_t)k] =
                i != FIRN_SNOW_AIR && w->cells[i].area > 0 ? i : FIRN_SNOW_AIR;
            if (i != FIRN_SNOW_AIR && is_own(k)) full += v->mid[first + (size_t)k] / 64;
        }
        w->view->light.coarse[firn_snow_window_index(v, v->at[b])][3] = full;
    }
}

// Writes the radiance of a block's surfaces with its ghost layer, and their mean. Slots without a
// surface are 0 and stay so.
static void write_surface(const firn_light_work* w, int32_t block)
{
    firn_view* view = w->view;
    const size_t first = (size_t)block * FIRN_SNOW_MID;
    float total[4] = {0, 0, 0, 0};
    for (int32_t k = 0; k < FIRN_SNOW_MID; k++) {
        const int32_t i = w->open[first + (size_t)k];
        if (i == FIRN_SNOW_AIR) continue;
        float* surface = view->light.surface[first + (size_t)k];
        for (int q = 0; q < 3; q++) {
            const firn_snow_band* band = &view->medium.band[q];
            surface[q] = band->give * w->e[i][q] + band->glow * fmaxf(w->u[i][q], 0);
        }
        surface[3] = 1;
        for (int q = 0; q < 4 && is_own(k); q++) total[q] += surface[q];
    }
    float* c = view->light.coarse[firn_snow_window_index(&view->volume, view->volume.at[block])];
    w->has_surface[block] = total[3] >= 1;
    for (int q = 0; q < 3; q++) c[q] = w->has_surface[block] ? c[3] * total[q] / total[3] : 0;
}

static void write_surfaces(const void* self, firn_local begin, firn_local end)
{
    for (firn_local b = begin; b < end; b++) write_surface(self, b);
}

// Writes the mean radiance in the cells of blocks with their ghost layers, which only shading
// reads.
static void write_below_range(const void* self, firn_local begin, firn_local end)
{
    const firn_light_work* w = self;
    for (firn_local b = begin; b < end; b++) {
        int32_t cells[FIRN_SNOW_MID];
        find_slots(w, b, cells);
        for (int32_t k = 0; k < FIRN_SNOW_MID; k++) {
            const int32_t i = cells[k];
            if (i == FIRN_SNOW_AIR) continue;
            float* below = w->view->light.below[(size_t)b * FIRN_SNOW_MID + (size_t)k];
            below[3] = w->cells[i].area > 0 ? 1 : INSIDE;
            for (int q = 0; q < 3; q++) below[q] = below[3] * fmaxf(w->u[i][q], 0);
        }
    }
}

typedef struct hidden_args {
    const firn_light_work* w;
    double all[4];  // sums over blocks with a surface
} hidden_args;

static void fill_blocks(const void* self, firn_local begin, firn_local end)
{
    const hidden_args* a = self;
    const firn_light_work* w = a->w;
    const firn_snow_volume* v = &w->view->volume;
    float(*coarse)[4] = w->view->light.coarse;
    for (firn_local b = begin; b < end; b++) {
        const int64_t cell = firn_snow_window_index(v, v->at[b]);
        if (w->has_surface[b] || !(coarse[cell][3] > 0)) continue;
        double near[4] = {0, 0, 0, 0};
        for (int k = 0; k < 27; k++) {
            const int32_t other[3] = {v->at[b][0] + k % 3 - 1, v->at[b][1] + k / 3 % 3 - 1,
                                      v->at[b][2] + k / 9 - 1};
            const int32_t block = firn_snow_block_in(v, other);
            for (int q = 0; q < 4 && block >= 0 && w->has_surface[block]; q++)
                near[q] += (double)coarse[firn_snow_window_index(v, other)][q];
        }
        const double* from = near[3] > 0 ? near : a->all;
        for (int q = 0; q < 3 && from[3] > 0; q++)
            coarse[cell][q] = coarse[cell][3] * (float)(from[q] / from[3]);
    }
}

// Long steps of a cone may end inside snow whose surface they crossed: blocks without a surface
// take the mean of neighbouring blocks that have one, or of all blocks.
static void fill_hidden(const firn_light_work* w)
{
    const firn_snow_volume* v = &w->view->volume;
    hidden_args a = {.w = w};
    for (int32_t b = 0; b < v->block_count; b++)
        for (int q = 0; q < 4 && w->has_surface[b]; q++)
            a.all[q] += (double)w->view->light.coarse[firn_snow_window_index(v, v->at[b])][q];
    firn_share(v->block_count, 16, fill_blocks, &a);
}

void firn_light_find_open(const firn_light_work* w)
{
    firn_share(w->view->volume.block_count, 2, find_open_range, w);
}

void firn_light_write_surfaces(const firn_light_work* w)
{
    firn_share(w->view->volume.block_count, 4, write_surfaces, w);
    fill_hidden(w);
}

void firn_light_write_below(const firn_light_work* w)
{
    firn_share(w->view->volume.block_count, 2, write_below_range, w);
}
