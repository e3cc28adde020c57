// SPDX-License-Identifier: MIT
// A simulation whose particles are on several ranks, as rank 0 sees it: the particles are remote
// (solver.h), and each of the table's functions is a command that all ranks run. On the other
// ranks a firn_mpm is a shell around this rank's share.
#pragma once
#include "comm/comm.h"
#include "solver/mpm/mpm_state.h"

// Makes m->crew where args->comm has other ranks; `seeds`: this rank's part. FIRN_REFUSED_BACKEND:
// the scene has what ranks cannot do yet.
firn_result firn_mpm_crew_create(firn_mpm* m, const firn_seeds* seeds, const firn_solver_args* args,
                                 firn_error* error);
void firn_mpm_crew_destroy(firn_mpm_crew* crew);  // null is fine

// firn_solver.serve: obeys a command of rank 0.
void firn_mpm_crew_serve(void* self, const firn_command* command);
// One step; sets what the step sets in the base.
firn_result firn_mpm_crew_step(firn_mpm* m, double time, double dt_limit, double dt_scale,
                               firn_step_report* out_report, firn_error* error);
// The particles of rank 0 are the state from now on.
void firn_mpm_crew_host_changed(firn_mpm* m);

// For the table; they serve simulations on one rank and on a device, too.
bool firn_mpm_remote(const void* self);
firn_local firn_mpm_count(const void* self);
firn_result firn_mpm_colliders_changed(void* self, firn_error* error);
firn_result firn_mpm_snapshot_take(void* self, firn_error* error);
firn_result firn_mpm_snapshot_restore(void* self, firn_error* error);
void firn_mpm_expect(void* self, double time, double dt_limit, double dt_scale);
firn_result firn_mpm_fetch(void* self, firn_error* error);
size_t firn_mpm_device_bytes(const void* self);
firn_result firn_mpm_device_field(void* self, const firn_field* field, bool wait,
                                  firn_device_field* out_field, firn_error* error);
firn_result firn_mpm_rows_open(void* self, firn_particle_rows* out_rows, firn_error* error);
void firn_mpm_rows_close(void* self);
firn_result firn_mpm_refill_begin(void* self, firn_local count, firn_error* error);
firn_result firn_mpm_refill_put(void* self, int field, firn_local first, firn_local rows,
                                const void* data, firn_error* error);
void firn_mpm_refill_end(void* self);
#define FIRN_MPM_REMOTE_FUNCTIONS                                             \
    .count = firn_mpm_count, .colliders_changed = firn_mpm_colliders_changed, \
    .remote = firn_mpm_remote, .snapshot_take = firn_mpm_snapshot_take,       \
    .snapshot_restore = firn_mpm_snapshot_restore, .expect = firn_mpm_expect, \
    .fetch = firn_mpm_fetch, .device_bytes = firn_mpm_device_bytes,           \
    .device_field = firn_mpm_device_field, .serve = firn_mpm_crew_serve,      \
    .rows_open = firn_mpm_rows_open, .rows_close = firn_mpm_rows_close,       \
    .fill_begin = firn_mpm_refill_begin, .fill_put = firn_mpm_refill_put,     \
    .fill_end = firn_mpm_refill_end
