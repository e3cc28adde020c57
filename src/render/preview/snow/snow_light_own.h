// SPDX-License-Identifier: MIT
// Shared by the two halves of the snow's light: the solver on mid cells (snow_light.c), and what
// cones and shading read of it (snow_light_write.c).
#pragma once
#include "render/preview/ambient.h"
#include "render/preview/snow/snow_light.h"

#define FIRN_SNOW_AIR (-1)  // no cell

// What relaxation reads of a cell. Apart from the rest: sweeps read all cells, 140 times.
typedef struct firn_snow_cell {
    int32_t next[6];  // neighbours -x +x -y +y -z +z; FIRN_SNOW_AIR: surface
    float area;       // of its surface, in cell faces
} firn_snow_cell;

typedef struct firn_snow_skin {
    int32_t place;   // block * 64 + x + 4 y + 16 z
    firn_vec3 from;  // [m] point just outside the surface where incident light is gathered
    firn_vec3 normal;
    float sun;  // irradiance of the sun relative to a surface that faces it
} firn_snow_skin;

typedef struct firn_light_work {
    firn_view* view;
    int round;
    int32_t count, even_count;  // cells; the first `even_count` of them have even parity
    uint8_t* has_surface;       // owned; [block_count]
    int32_t* index;             // owned; [block_count * 64]: cell index, or FIRN_SNOW_AIR
    int32_t* open;  // owned; [block_count * FIRN_SNOW_MID]: cell with a surface, or FIRN_SNOW_AIR
    firn_snow_cell* cells;  // owned; [count]
    firn_snow_skin* skins;  // owned; [count]
    float (*u)[4];          // owned; [count]
    float (*e)[4];  // owned; [count] incident light E, as radiance of a white diffuse surface
} firn_light_work;

static inline int64_t firn_snow_window_index(const firn_snow_volume* v, const int32_t at[3])
{
    return ((int64_t)at[2] * v->size[1] + at[1]) * v->size[0] + at[0];
}

// Block at position `at` of the window; -1: air, or outside.
static inline int32_t firn_snow_block_in(const firn_snow_volume* v, const int32_t at[3])
{
    for (int a = 0; a < 3; a++)
        if (at[a] < 0 || at[a] >= v->size[a]) return -1;
    return v->table[firn_snow_window_index(v, at)];
}

// Once, after the surfaces were found: their slots, and the occupancy of blocks.
void firn_light_find_open(const firn_light_work* w);
// After each round: the light of surfaces and the coarse level, which the next one gathers.
void firn_light_write_surfaces(const firn_light_work* w);
// After the last: the light below surfaces, which only shading reads.
void firn_light_write_below(const firn_light_work* w);
