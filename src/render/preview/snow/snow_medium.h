// SPDX-License-Identifier: MIT
// Diffusion coefficients of packed snow, from render.medium, in units of a mid cell (two voxels).
//
// Multiply scattered light obeys a diffusion equation. With u the mean radiance, sigma_a and
// sigma_s the absorption and scattering coefficients, sigma' = sigma_a + (1 - g) sigma_s and
// D = 1 / (3 sigma'), a quarter of the net flux is -D grad u, and u decays as e^(-kappa length)
// with kappa = sqrt(sigma_a / D). At the surface (Marshak 1947; E is the incident light, as
// radiance of a white diffuse surface)
//
//   flux into the snow / 4 = (E - u_s) / 2            exitant radiance = 2 u_s - E
//
// The flux between two cell centres, and between a centre and the surface, is that of the exact
// 1-D solution, so cells may be much thicker than 1 / kappa. D is adjusted so that the albedo of
// deep snow matches van de Hulst's fit (VALIDATION.md T33: 0.3602 for albedo 0.9, 0.4864 for 0.95):
// Marshak's condition alone makes dark snow too dark. u is scaled to equal E in the top cell of
// deep, flat snow, so that values stay near 1 for any kappa.
#pragma once
#include "math/elementary.h"
#include "render/preview/snow/snow_volume.h"
#include "scene/data/render_block.h"

// Wrap of the sun's cosine: on a rough surface some grains face the sun beyond the terminator.
#define FIRN_SNOW_WRAP 0.25f
#define FIRN_SNOW_GIVE_LEAST 0.35f  // minimum `give` for thin cells, which keeps surface detail

typedef struct firn_snow_band {
    float albedo;    // single-scattering albedo
    float white;     // diffuse reflectance of deep snow
    float gamma;     // sqrt((1 - albedo) / (1 - albedo g)): 0 is white, 1 is black
    float link;      // flux between cell centres per u of the neighbour ...
    float link_own;  // ... and per own u; the difference is absorbed between them
    float skin;      // flux between centre and surface per E ...
    float skin_own;  // ... and per own u
    float give;      // exitant radiance per E ...
    float glow;      // ... and per u of the cell below
    float crumb;     // reflectance of a crumb, which also transmits light
} firn_snow_band;

typedef struct firn_snow_medium {
    firn_snow_band band[3];
    float g;
} firn_snow_medium;

// `thick`: optical thickness of a mid cell of packed snow; `albedo` 0..1, `g` -1..1.
firn_snow_band firn_snow_band_make(double albedo, double g, double thick);
firn_snow_medium firn_snow_medium_make(const firn_medium_block* block, const firn_snow_volume* v,
                                       bool masses_known);
