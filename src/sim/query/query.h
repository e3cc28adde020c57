// SPDX-License-Identifier: MIT
// Implementation of firn/query.h: the particles and colliders as the queries see them. What is
// built for a state serves all queries until the next step; its memory is used again.
#pragma once
#include "geometry/collider/collider.h"
#include "sim/sim.h"
#include "state/surface/columns.h"

// A collider where it is now: the solver's copy is at the start of the last step.
typedef struct firn_query_collider {
    firn_collider now;   // owned
    firn_collider seen;  // the solver's copy that `now` was made of, byte by byte
    double time;         // [s] of `now`
    bool is_plane;
    firn_vec3 point, normal;  // of a plane
} firn_query_collider;

typedef struct firn_query {
    bool built;  // columns
    int64_t step;
    double time;
    uint64_t edits;
    firn_columns columns;
    firn_query_collider* colliders;  // owned; [collider_count]
    firn_local collider_count, collider_capacity;
} firn_query;

// A query writes no part of the state, only the message and what it keeps for the next one; a
// firn_sim is never defined const.
static inline firn_sim* firn_query_open(const firn_sim* sim)
{
    return (firn_sim*)sim;
}

// Fetches the particles and describes them as heights, rays and surfaces take them: with their
// radius, or half the spacing of packed snow. Borrowed until the next step.
firn_result firn_query_snow(const firn_sim* sim, firn_height_snow* out_snow);

// Get the columns of the current state. Call it inside of firn_sim_enter.
firn_result firn_query_columns(const firn_sim* sim, const firn_columns** out_columns);
// Get the colliders of the current state. Call it inside of firn_sim_enter.
firn_result firn_query_colliders(const firn_sim* sim, const firn_query** out_query);
void firn_query_destroy(firn_query* query);  // null is fine

// First surface of a collider that the ray meets before *t, which becomes its distance. `direction`
// has length 1.
bool firn_query_trace(const firn_query_collider* collider, const firn_shapes* shapes,
                      const double origin[3], const double direction[3], double* t,
                      firn_vec3* out_normal);
