// SPDX-License-Identifier: MIT
// Poses between key frames.
#pragma once
#include "shape/motion.h"
#include "shape/rotation_vector.h"

// A pose before it is rounded to firn_real.
typedef struct firn_dpose {
    firn_dvec3 position;  // [m]
    firn_dquat rotation;
    firn_dvec3 velocity;  // [m/s]
    firn_dvec3 spin;      // [rad/s]
    double scale;         // s
    double growth;        // s'/s [1/s]
} firn_dpose;

firn_dquat firn_dq_from(firn_quat q);  // in double, normalised; identity for zero
// `motion` has at least one key.
firn_dpose firn_keyframes_pose(const firn_motion* motion, double time);
