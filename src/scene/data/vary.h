// SPDX-License-Identifier: MIT
// Spatial variation of material constants. Stomakhin 2013, section 10: snowballs harder and heavier
// on the outside, stiffness varied with a noise pattern to get chunky fracture, and under the
// walking character a top layer that is stiffer and crunchier. Every particle gets a factor on each
// constant of its material: noise, texture, shell and layers multiply. All zero: nothing varies.
#pragma once
#include "core/result.h"

typedef struct firn_text firn_text;  // core/text.h

// Factor 1 + amount * noise(x / scale), at least 0.05.
typedef struct firn_vary_noise {
    double scale;   // [m]; 0: no noise
    double amount;  // [-]
    int64_t octaves;
    int64_t seed;
} firn_vary_noise;

// Factor from a grid in world space: `low` at 0, `high` at 1, linear between, clamped outside.
typedef struct firn_vary_texture {
    char* file;        // owned: a .vdb file; null: no texture
    char* grid;        // owned: its name in the file; null: the first grid of floats
    double low, high;  // [-]
} firn_vary_texture;

typedef struct firn_vary_field {
    firn_vary_noise noise;
    firn_vary_texture texture;
} firn_vary_field;

typedef enum firn_falloff {
    FIRN_FALLOFF_SHARP,  // the factor, then 1
    FIRN_FALLOFF_LINEAR  // the factor at the surface, 1 at the end of the thickness
} firn_falloff;

// By distance to the surface of the shape.
typedef struct firn_vary_shell {
    double thickness;  // [m]; 0: no shell
    double factor[FIRN_VARY_COUNT];
    int32_t falloff;  // firn_falloff
} firn_vary_shell;

// By depth straight below the surface, along gravity: from <= depth < to.
typedef struct firn_vary_layer {
    double from, to;  // [m]
    double factor[FIRN_VARY_COUNT];
} firn_vary_layer;

typedef struct firn_vary_layers {
    firn_vary_layer* items;  // owned
    firn_local count, capacity;
} firn_vary_layers;

typedef struct firn_vary {
    firn_vary_field field[FIRN_VARY_COUNT];
    firn_vary_shell shell;
    firn_vary_layers layers;
} firn_vary;

// Key of each quantity, in the order of firn_vary_quantity: "stiffness", ...
extern const char* const firn_vary_names[FIRN_VARY_COUNT];

// The default: no variation, every factor is 1.
firn_vary firn_vary_default(void);
// Makes a bytewise copy own its strings and layers. False: out of memory, release it.
bool firn_vary_own(firn_vary* copy);
void firn_vary_release(firn_vary* vary);
// Can any particle's factor on this quantity differ from 1?
bool firn_vary_changes(const firn_vary* vary, firn_vary_quantity quantity);
// Writes it as lines of a snow item, if anything varies. The hash does not depend on the folder of
// a file.
void firn_vary_write(firn_text* text, const firn_vary* vary, int digits, bool for_hash);
