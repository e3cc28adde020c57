// SPDX-License-Identifier: MIT
// What light does in packed snow, from render.medium, in units of a mid cell (two voxels).
//
// Light that has scattered often flows from bright to dark like heat. With u the mean radiance,
// sigma' = absorbed + (1 - g) scattered per length and D = 1 / (3 sigma'), a quarter of the net
// flow is -D grad u, and u fades as e^(-kappa length), kappa = sqrt(absorbed / D). At the surface
// (Marshak 1947; E is what comes from outside, as radiance of a white sheet there)
//
//   flow into the snow / 4 = (E - u_s) / 2            light that leaves = 2 u_s - E
//
// Between the middles of two cells, and between a middle and the surface, the flow is that of the
// exact solution on a line, so cells may be much thicker than 1 / kappa. D is bent a little so that
// deep snow gives back what van de Hulst's fit says (VALIDATION.md T33: 0.3602 for albedo 0.9,
// 0.4864 for 0.95): Marshak's condition alone makes dark snow too dark. And u is counted in units
// in which it is E in the topmost cell of deep, flat snow: numbers stay near 1 however fast light
// fades.
#pragma once
#include "math/elementary.h"
#include "render/preview/snow_volume.h"
#include "scene/data/scene.h"

// Snow is rough: what turns away from the sun still shows it some of its grains.
#define FIRN_SNOW_WRAP 0.25f
#define FIRN_SNOW_GIVE_LEAST 0.35f  // thin cells: share of a surface's light that keeps its detail

typedef struct firn_snow_band {
    float albedo;    // of one scattering
    float white;     // share of diffuse light that deep snow gives back
    float gamma;     // sqrt((1 - albedo) / (1 - albedo g)): 0 is white, 1 is black
    float link;      // flow between middles of cells per u of the other one ...
    float link_own;  // ... and per u of its own; the difference is swallowed on the way
    float skin;      // the same between a middle and the surface, per E outside ...
    float skin_own;  // ... and per u of its own
    float give;      // light that leaves the surface, per E on the spot ...
    float glow;      // ... and per u in the middle below
    float crumb;     // share that a crumb gives back: light also comes through it
} firn_snow_band;

typedef struct firn_snow_medium {
    firn_snow_band band[3];
    float g;
} firn_snow_medium;

// `thick`: mean free paths along a mid cell of packed snow; `albedo` 0..1, `g` -1..1.
firn_snow_band firn_snow_band_make(double albedo, double g, double thick);
firn_snow_medium firn_snow_medium_make(const firn_medium_block* block, const firn_snow_volume* v,
                                       bool masses_known);
