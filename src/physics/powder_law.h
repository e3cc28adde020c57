// SPDX-License-Identifier: MIT
// Constants of powder (physics/powder.h): a key of the scene's block `powder` each.
#pragma once
#include <stdint.h>

// What breaks, and what it sheds.
typedef struct firn_powder_law {
    double rate;    // [1/s] of breaking, |d(ln J_P)/dt|, above which snow sheds
    double speed;   // [m/s] relative to the air, above which it sheds
    double points;  // that a particle sheds while ln J_P changes by 1
    double amount;  // [-] of the mass that breaks: what its points are drawn with
    double size;    // [m] diameter of a grain: it decides the drag
    double life;    // [s] mean time until a point has faded
    double spread;  // [-] random part of a point's velocity, over the speed relative to the air
    int64_t seed;
} firn_powder_law;
