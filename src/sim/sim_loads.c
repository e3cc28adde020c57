// SPDX-License-Identifier: MIT
// Loads on colliders: of the last step, and the mean over a frame.
#include <string.h>

#include "sim/sim.h"
#include "sim/sim_ids.h"
#include "solver/collider_load.h"

enum { SUMS = 4 };

static void find_sums(firn_sim* sim, firn_load_sum* out_sums[SUMS])
{
    out_sums[0] = &sim->load_step;
    out_sums[1] = &sim->load_frame;
    out_sums[2] = &sim->load_since;
    out_sums[3] = &sim->load_snapshot;
}

static firn_result make_room(firn_sim* sim, size_t count, firn_error* error)
{
    const size_t before = (size_t)sim->load_count;
    firn_collider_load* memory = firn_alloc(SUMS * count + 1, sizeof *memory);
    if (memory == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the loads on %zu colliders",
                         count);
    firn_load_sum* sums[SUMS];
    find_sums(sim, sums);
    for (size_t k = 0; k < SUMS; k++) {
        firn_collider_load* each = memory + k * count;
        if (before > 0) memcpy(each, sums[k]->each, before * sizeof *each);
        sums[k]->each = each;
    }
    firn_free(sim->load_memory);
    sim->load_memory = memory;
    sim->load_count = (firn_local)count;
    return FIRN_OK;
}

firn_result firn_sim_loads_create(firn_sim* sim, firn_error* error)
{
    const size_t count = sim->solver->loads != NULL ? (size_t)firn_sim_body_count(sim) : 0;
    return make_room(sim, count, error);
}

firn_result firn_sim_loads_grow(firn_sim* sim, firn_error* error)
{
    return sim->solver->loads != NULL ? make_room(sim, (size_t)sim->load_count + 1, error)
                                      : FIRN_OK;
}

void firn_sim_loads_forget(firn_sim* sim, firn_local collider)
{
    firn_load_sum* sums[SUMS];
    find_sums(sim, sums);
    for (size_t k = 0; k < SUMS && collider < sim->load_count; k++)
        sums[k]->each[collider] = (firn_collider_load){0};
}

static void copy(const firn_sim* sim, const firn_load_sum* from, firn_load_sum* to)
{
    memcpy(to->each, from->each, (size_t)sim->load_count * sizeof *to->each);
    to->seconds = from->seconds;
}

static void clear(const firn_sim* sim, firn_load_sum* sum)
{
    memset(sum->each, 0, (size_t)sim->load_count * sizeof *sum->each);
    sum->seconds = 0;
}

void firn_sim_loads_add(firn_sim* sim, double dt)
{
    if (sim->load_count == 0) return;
    memcpy(sim->load_step.each, sim->solver->loads(sim->self),
           (size_t)sim->load_count * sizeof *sim->load_step.each);
    sim->load_step.seconds = dt;
    sim->load_since.seconds += dt;
    for (firn_local c = 0; c < sim->load_count; c++) {
        const firn_collider_load* step = &sim->load_step.each[c];
        firn_collider_load* sum = &sim->load_since.each[c];
        for (int d = 0; d < 3; d++) {
            sum->impulse[d] += step->impulse[d];
            sum->angular[d] += step->angular[d];
            sum->about[d] = step->about[d];
        }
    }
}

void firn_sim_loads_end_frame(firn_sim* sim)
{
    copy(sim, &sim->load_since, &sim->load_frame);
    clear(sim, &sim->load_since);
}

void firn_sim_loads_save(firn_sim* sim)
{
    copy(sim, &sim->load_since, &sim->load_snapshot);
}

void firn_sim_loads_restore(firn_sim* sim)
{
    copy(sim, &sim->load_snapshot, &sim->load_since);
}

static firn_body_load mean_of(const firn_load_sum* sum, int body)
{
    const firn_collider_load* load = &sum->each[body];
    firn_body_load mean = {.seconds = sum->seconds};
    for (int d = 0; d < 3 && sum->seconds > 0; d++) {
        mean.force[d] = load->impulse[d] / sum->seconds;
        mean.torque[d] = load->angular[d] / sum->seconds;
        mean.about[d] = load->about[d];
    }
    return mean;
}

firn_result firn_sim_body_load(const firn_sim* sim, firn_collider_id id, firn_body_load* out_step,
                               firn_body_load* out_frame)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    firn_local body;
    FIRN_TRY(firn_sim_collider_find(sim, id, &body));
    if (out_step != NULL) *out_step = mean_of(&sim->load_step, body);
    if (out_frame != NULL) *out_frame = mean_of(&sim->load_frame, body);
    return FIRN_OK;
}
