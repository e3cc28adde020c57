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

static inline firn_result view_read_collider(const view_reader* r, int k, firn_body_info* out_info)
{
    return r->sim ? firn_sim_body(r->sim, k, out_info) : firn_replay_body(r->run, k, out_info);
}

static inline firn_result view_read_mesh(const view_reader* r, int k, firn_body_mesh* out_mesh,
                                         firn_error* out_error)
{
    return r->sim ? firn_sim_body_mesh(r->sim, k, out_mesh, out_error)
                  : firn_replay_body_mesh(r->run, k, out_mesh, out_error);
}
