// SPDX-License-Identifier: MIT
#include "scene/data/material_look.h"

#include "scene/data/snow.h"

firn_material_look firn_material_look_make(firn_material_look_kind kind)
{
    firn_material_look look = {.kind = (int32_t)kind, .roughness = 0.3f, .specular = 0.04f};
    switch (kind) {
    case FIRN_SHOWN_AS_WATER:
        // Pure water at 650, 550 and 450 nm: Pope and Fry 1997, table 3.
        look.ior = 1.333f;
        look.absorption[0] = 0.340f;
        look.absorption[1] = 0.0565f;
        look.absorption[2] = 0.0092f;
        break;
    case FIRN_SHOWN_AS_ICE:
        // Absorbs about as water; bubbles make a metre of it milky. Chosen by eye.
        look.ior = 1.31f;
        look.absorption[0] = 0.28f;
        look.absorption[1] = 0.06f;
        look.absorption[2] = 0.015f;
        look.scattering = 3;
        break;
    case FIRN_SHOWN_AS_CHOCOLATE:
        look.colour[0] = 0.075f;
        look.colour[1] = 0.026f;
        look.colour[2] = 0.011f;
        look.roughness = 0.2f;
        break;
    case FIRN_SHOWN_AS_SOFT_ICE:
        look.colour[0] = 0.88f;
        look.colour[1] = 0.82f;
        look.colour[2] = 0.70f;
        look.roughness = 0.45f;
        break;
    default: break;
    }
    return look;
}

firn_material_look firn_material_look_of(const firn_material* material)
{
    static const firn_material_look_kind by_phase[] = {
        [FIRN_PHASE_SNOW] = FIRN_SHOWN_AS_SNOW,
        [FIRN_PHASE_WATER] = FIRN_SHOWN_AS_WATER,
        [FIRN_PHASE_VISCOUS] = FIRN_SHOWN_AS_CHOCOLATE,
    };
    if (material->look.kind != FIRN_SHOWN_BY_PHASE) return material->look;
    return firn_material_look_make(by_phase[material->snow.phase]);
}
