// SPDX-License-Identifier: MIT
// Implementation of firn/query.h: the particles as the queries see them.
#pragma once
#include "sim/sim.h"
#include "state/surface/heights.h"

// A query writes no part of the state, only the message and what it keeps for the next one; a
// firn_sim is never defined const.
static inline firn_sim* firn_query_open(const firn_sim* sim)
{
    return (firn_sim*)sim;
}

// Fetches the particles and describes them as heights, rays and surfaces take them: with their
// radius, or half the spacing of packed snow. Borrowed until the next step.
firn_result firn_query_snow(const firn_sim* sim, firn_height_snow* out_snow);
