// SPDX-License-Identifier: MIT
// Colliders by their number.
#pragma once
#include "firn/firn.h"

// The id of a collider that does not exist if there are not so many; null for -1.
static inline firn_collider_id collider_at(const firn_sim* sim, int index)
{
    firn_collider_id id = {0};
    (void)firn_sim_body_at(sim, 0, &id);
    id.slot1 = (uint32_t)(index + 1);
    return id;
}

static inline firn_collider_id replay_collider_at(const firn_replay* replay, int index)
{
    firn_collider_id id = {0};
    (void)firn_replay_body_at(replay, 0, &id);
    id.slot1 = (uint32_t)(index + 1);
    return id;
}
