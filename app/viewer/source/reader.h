// SPDX-License-Identifier: MIT
// Read access to fields and colliders of a live simulation or of the current frame of a replay.
#pragma once
#include "firn/firn.h"

typedef struct view_reader {
    const firn_sim* sim;  // null: read `run`
    const firn_replay* run;
} view_reader;

static inline firn_result view_read_field(const view_reader* r, const char* name,
                                          firn_field_view* out_view)
{
    return r->sim ? firn_sim_field(r->sim, name, out_view)
                  : firn_replay_field(r->run, name, out_view);
}

static inline firn_result view_read_info(const view_reader* r, firn_view_info* out_info)
{
    return r->sim ? firn_sim_view(r->sim, out_info) : firn_replay_view(r->run, out_info);
}

static inline int view_read_field_count(const view_reader* r)
{
    return r->sim ? firn_sim_field_count(r->sim) : firn_replay_field_count(r->run);
}

static inline firn_result view_read_field_at(const view_reader* r, int k, firn_field_view* out_view)
{
    return r->sim ? firn_sim_field_at(r->sim, k, out_view)
                  : firn_replay_field_at(r->run, k, out_view);
}

static inline int view_read_collider_count(const view_reader* r)
{
    return r->sim ? firn_sim_body_count(r->sim) : firn_replay_body_count(r->run);
}

// Finds collider k; {0}, which firn refuses, if there are not so many.
static inline firn_collider_id view_collider_id(const view_reader* r, int k)
{
    firn_collider_id id = {0};
    (void)(r->sim ? firn_sim_body_at(r->sim, k, &id) : firn_replay_body_at(r->run, k, &id));
    return id;
}

static inline firn_result view_read_collider(const view_reader* r, int k, firn_body_info* out_info)
{
    const firn_collider_id id = view_collider_id(r, k);
    return r->sim ? firn_sim_body(r->sim, id, out_info) : firn_replay_body(r->run, id, out_info);
}

static inline firn_result view_read_mesh(const view_reader* r, int k, firn_body_mesh* out_mesh,
                                         firn_error* out_error)
{
    const firn_collider_id id = view_collider_id(r, k);
    return r->sim ? firn_sim_body_mesh(r->sim, id, out_mesh, out_error)
                  : firn_replay_body_mesh(r->run, id, out_mesh, out_error);
}
