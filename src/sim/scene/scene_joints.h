// SPDX-License-Identifier: MIT
// Joints from definitions.
#pragma once
#include "bodies/joint.h"

// Not checked yet; `a`, `b`: indices of its colliders, b -1: the world.
firn_joint firn_joint_from_def(const firn_joint_def* def, firn_local a, firn_local b);
