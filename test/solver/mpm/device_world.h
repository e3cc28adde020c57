// SPDX-License-Identifier: MIT
// Worlds whose steps a CUDA device computes. FIRN_TEST_DEVICE=cpu: the host's fast passes stand in
// for the device, so that tests of the device can themselves be tried where there is none.
#pragma once
#include "solver/mpm/cuda/mpm_cuda.h"
#include "solver/mpm/world.h"
#include "solver/shared/device_run.h"

static int device_number = FIRN_DEVICE_CPU;  // after device_open

// False: there is no device; said why.
static inline bool device_open(void)
{
    const char* name = getenv("FIRN_TEST_DEVICE");
    firn_error error = {0};
    if (firn_device_open(name != NULL ? name : "cuda", &device_number, &error) != FIRN_OK) {
        print_message("skipped: %s\n", error.text);
        return false;
    }
    return true;
}

// `run_ahead` 0: as many steps at once as the solver likes.
static inline void device_start(world* w, int run_ahead)
{
    const firn_solver_args args = {.device = device_number, .run_ahead = run_ahead};
    world_start_with(w, &args);
}

// The host's copy of the particles becomes the state.
static inline void device_fetch(world* w)
{
    if (!firn_solver_mpm.remote(w->m)) return;
    if (firn_solver_mpm.fetch(w->m, &w->error) != FIRN_OK) fail_msg("%s", w->error.text);
    firn_mpm_refresh_pointers(w->m);
}

static inline int32_t device_node_coord(const firn_sparse_grid* grid, firn_local n, int axis)
{
    const int k = n % FIRN_BLOCK_NODES;
    return grid->coord[n / FIRN_BLOCK_NODES][axis] * 4 + (k >> (4 - 2 * axis) & 3);
}

// Nodes of the last step. Free them.
static inline firn_mpm_cuda_nodes device_nodes(world* w)
{
    firn_mpm_cuda_nodes out = {0};
#ifdef FIRN_HAVE_CUDA
    if (firn_solver_mpm.remote(w->m)) {
        firn_device_sim* sim = firn_device_run_sim(w->m);
        if (firn_mpm_cuda_read_nodes(sim, &out, &w->error) != FIRN_OK)
            fail_msg("%s", w->error.text);
        return out;
    }
#endif
    const size_t count = (size_t)world_nodes(w);
    out.count = (firn_local)count;
    out.coord = firn_alloc(count + 1, sizeof *out.coord);
    out.velocity = firn_alloc(count + 1, sizeof *out.velocity);
    out.now = firn_alloc(count + 1, sizeof *out.now);
    assert_non_null(out.coord);
    assert_non_null(out.velocity);
    assert_non_null(out.now);
    for (firn_local n = 0; n < out.count; n++) {
        for (int a = 0; a < 3; a++) {
            out.coord[n][a] = device_node_coord(&w->m->grid, n, a);
            out.now[n][a] = w->m->node_new[n][a];
        }
        out.now[n][3] = w->m->node_fixed[n];
        for (int a = 0; a < 4; a++) out.velocity[n][a] = w->m->node_velocity[n][a];
    }
    return out;
}

static inline void device_nodes_free(firn_mpm_cuda_nodes* nodes)
{
    firn_free(nodes->coord);
    firn_free(nodes->velocity);
    firn_free(nodes->now);
}

// [ids] which particle of the store has this id; -1: none. Free it.
static inline firn_local* device_by_id(const world* w, firn_local ids)
{
    firn_local* out = firn_alloc((size_t)ids + 1, sizeof *out);
    assert_non_null(out);
    for (firn_local k = 0; k < ids; k++) out[k] = -1;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const uint32_t id = w->m->p.id[p];
        assert_less(id, (uint32_t)ids);
        assert_less(out[id], 0);  // each once
        out[id] = p;
    }
    return out;
}
