// SPDX-License-Identifier: MIT
// Loads on colliders, as solvers report them (theory/forces.md).
#pragma once

// What a collider took from the snow in a step: force times dt, torque times dt. Contact between
// colliders does not count.
typedef struct firn_collider_load {
    double impulse[3];  // [N s]
    double angular[3];  // [N m s] about `about`
    double about[3];    // [m] at the start of the step: the centre of mass of a dynamic collider,
                        //     else the origin of the shape's coordinates
} firn_collider_load;
