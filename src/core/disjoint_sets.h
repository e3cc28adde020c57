// SPDX-License-Identifier: MIT
// Disjoint sets of numbered things (union-find): which of them are connected.
//     for (k = 0; k < count; k++) parent[k] = k;      // each is a set of its own
//     firn_sets_join(parent, a, b);                   // for all pairs that touch
//     firn_sets_root(parent, k)                       // the same for all of a set
// The root of a set is its lowest number, so that the result does not depend on the order of joins.
#pragma once
#include "core/result.h"

// Paths are halved on the way, which keeps them short.
static inline firn_local firn_sets_root(firn_local* parent, firn_local k)
{
    while (parent[k] != k) {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

static inline void firn_sets_join(firn_local* parent, firn_local a, firn_local b)
{
    const firn_local r = firn_sets_root(parent, a), s = firn_sets_root(parent, b);
    if (r < s)
        parent[s] = r;
    else
        parent[r] = s;
}
