// SPDX-License-Identifier: MIT
// Ids of the public interface and the indices behind them. Slots are never used again: the id of an
// item that was removed stays refused.
#pragma once
#include "firn/id.h"
#include "firn/types.h"

// A number that no other scene of this process has; never 0.
uint32_t firn_owner_new(void);

// Find the index of an item. FIRN_REFUSED_ARGUMENT: the id is null, of another scene, past the end
// or of an item that was removed; the sentence is in `error` (may be null), for a simulation in
// sim->error.
firn_result firn_scene_shape_find(const firn_scene* scene, firn_shape_id id, firn_local* out_index,
                                  firn_error* error);
firn_result firn_scene_material_find(const firn_scene* scene, firn_material_id id,
                                     firn_local* out_index, firn_error* error);
firn_result firn_sim_collider_find(const firn_sim* sim, firn_collider_id id, firn_local* out_index);
// The same, of a collider that was removed, too.
firn_result firn_sim_collider_slot(const firn_sim* sim, firn_collider_id id, firn_local* out_index);
firn_result firn_sim_emitter_find(const firn_sim* sim, firn_emitter_id id, firn_local* out_index);
firn_result firn_sim_snow_find(const firn_sim* sim, firn_snow_id id, firn_local* out_index);

// The same for any list. `what`: "collider"; `own`: the owner that the id must have.
typedef struct firn_id_list {
    const char* what;
    uint32_t own;
    firn_local count;
} firn_id_list;
firn_result firn_id_find(const firn_id_list* list, uint32_t slot1, uint32_t owner,
                         firn_local* out_index, firn_error* error);
