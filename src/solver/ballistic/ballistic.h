// SPDX-License-Identifier: MIT
// The smallest solver: particles that fall and collide with colliders, but not with each other.
// Copy this folder to start a new one; CONTRIBUTING.md has the steps.
#pragma once
#include "solver/shared/device_run.h"

// The `ballistic` block of a scene; its key table is in ballistic_def.c.
typedef struct firn_ballistic_def {
    double spacing;  // [m] cell for seeding
    double dt;       // [s]
} firn_ballistic_def;

extern const firn_solver firn_solver_ballistic;
extern const firn_device_solver firn_ballistic_device;  // cuda/ballistic_gpu.c
extern const firn_key_block firn_ballistic_keys;
