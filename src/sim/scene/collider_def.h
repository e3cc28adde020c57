// SPDX-License-Identifier: MIT
// Makes a collider from a def (firn/defs.h).
#pragma once
#include "firn/defs.h"
#include "geometry/collider/collider.h"

// Checks the def and fills `body`, whose shape (one of `shapes`) or deformation is set; the def's
// cookie and shape are not looked at. After a refusal the caller destroys `body`.
firn_result firn_collider_from_def(const firn_collider_def* def, const firn_shapes* shapes,
                                   firn_collider* body, firn_error* error);
