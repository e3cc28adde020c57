// SPDX-License-Identifier: MIT
// Emitters: where flakes appear while the scene runs (flakes.h makes them).
#pragma once
#include "core/result.h"

#define FIRN_EMITTER_NO_LIMIT INT64_MAX
// A flake that falls at 1.0 m/s in air of 0 degC, as large crystals and their aggregates do.
#define FIRN_FLAKE_SIZE 0.005       // [m]
#define FIRN_FLAKE_DENSITY 12.0     // [kg/m^3]
#define FIRN_FLAKE_DENSITY_MAX 917  // ice

typedef struct firn_emitter {
    firn_local shape;      // flakes appear in it, uniformly distributed
    firn_local material;   // index into materials
    double rate;           // [1/s] flakes; with `flow`, set by firn_emitters_settle
    double flow;           // [kg/s] snow; 0: `rate` is given
    double velocity[3];    // [m/s]
    double speed;          // [m/s] along the outward normal of the shape's surface, added to it
    double depth;          // [m] flakes appear at most so far below the surface; 0: anywhere inside
    double spread;         // [m/s] RMS of each component of a random velocity
    double size;           // [m] edge of the cube of snow of a flake; 0: the solver's spacing
    double flake_size;     // [m] diameter of the flakes whose drag it has; 0: of a sphere of `size`
    double flake_density;  // [kg/m^3] of these flakes
    double start, stop;    // [s]; stop infinite: never
    int64_t limit;         // maximum number of flakes; with `mass`, set by firn_emitters_settle
    double mass;           // [kg] maximum of all flakes together; 0: `limit` is given
    int64_t seed;
    double temperature;  // [degC]
    firn_local follow1;  // 1 + index of the collider that it moves with; 0: none
    bool removed;        // by the caller of a simulation: `stop` is when
} firn_emitter;
