// SPDX-License-Identifier: MIT
// Closed surfaces inside of snow, around gaps between particles: they show the sampling, not snow.
#pragma once
#include "state/surface/isosurface.h"

// Removes the connected parts of a closed surface that point inwards and enclose less than
// `largest` [m^3]. FIRN_BROKEN_MEMORY: the surface is unchanged.
firn_result firn_surface_drop_bubbles(firn_isosurface* surface, double largest, firn_error* error);
