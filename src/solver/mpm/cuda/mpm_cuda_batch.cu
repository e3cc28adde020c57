// SPDX-License-Identifier: MIT
// Batches of steps on a GPU. A step is a graph, captured once: the list of section 4.1 of Stomakhin
// 2013 with the linear solve as a loop whose condition the device decides. A batch launches as many
// as may be needed; those after the frame's end, a fault or a lack of room find `halt` and return.
#include "device/cuda_graph.cuh"
#include "solver/mpm/cuda/mpm_cuda_own.cuh"

namespace {

// Which graph: of an ordinary step, of one that reorders the particles, of one with step 2.
enum { GRAPH_PLAIN, GRAPH_REORDER, GRAPH_FIRST, GRAPH_COUNT };

// Step 6: residual, then a loop of iterations while the device says so.
cudaError_t capture_solve(const firn_mpm_cuda* c, const firn_mpm_device* d)
{
    cudaGraphConditionalHandle loop;
    const cudaError_t e = firn_cuda_capture_handle(c->stream, &loop);
    if (e != cudaSuccess) return e;
    firn_mpm_launch_solve_start(d, &c->l, loop, c->stream);
    return firn_cuda_capture_part(c->stream, loop, cudaGraphCondTypeWhile, [&](cudaStream_t inner) {
        firn_mpm_launch_solve_iteration(d, &c->l, loop, inner);
        return cudaGetLastError();
    });
}

// Step 5 with dynamic colliders: a loop of rounds while their velocities change.
cudaError_t capture_contacts(const firn_mpm_cuda* c, const firn_mpm_device* d)
{
    cudaGraphConditionalHandle loop;
    cudaError_t e = firn_cuda_capture_handle(c->stream, &loop);
    if (e != cudaSuccess) return e;
    firn_mpm_launch_find(d, &c->l, loop, c->stream);
    e = firn_cuda_capture_part(c->stream, loop, cudaGraphCondTypeWhile, [&](cudaStream_t inner) {
        firn_mpm_launch_round(d, &c->l, loop, inner);
        return cudaGetLastError();
    });
    if (e != cudaSuccess) return e;
    firn_mpm_launch_place(d, &c->l, c->stream);
    return cudaGetLastError();
}

// What changes velocities before they go to the grid.
void launch_push(const firn_mpm_cuda* c, const firn_mpm_device* d)
{
    const bool pushes = d->forces.field_count > 0;
    if (pushes) firn_mpm_launch_push(d, c->stream);
    if (d->drags) firn_mpm_launch_blow(d, &c->l, c->stream);
    if ((pushes || d->drags) && d->rigid.head != nullptr) firn_mpm_launch_pushed(d, c->stream);
}

// One step, in its order.
cudaError_t launch_step(const firn_mpm_cuda* c, const firn_mpm_device* d, int which)
{
    const bool linear = d->implicit != 0, moves = which != GRAPH_PLAIN;
    const bool culls = c->own.cull.active;
    firn_mpm_launch_materials_now(d, c->stream);
    if (culls || d->flakes.count > 0) firn_mpm_launch_check(d, c->stream);
    if (culls) firn_mpm_launch_cull(d, c->stream);
    firn_mpm_launch_emit(d, c->stream);
    if (culls) {  // what is gone counts neither in speeds nor in sums
        firn_mpm_launch_measure(d, c->stream);
        if (which != GRAPH_FIRST) firn_mpm_launch_stress(d, linear, false, c->stream);
    }
    firn_mpm_launch_begin(d, c->stream);
    firn_mpm_launch_materials_next(d, c->stream);
    const firn_device_sort_args sort = {d->grid, d->at, &d->control->halt, &d->control->count,
                                        d->gone, moves};
    cudaError_t e = firn_device_sort(&sort, c->stream);
    if (e != cudaSuccess) return e;
    if (moves) e = firn_mpm_launch_reorder(d, c->scratch, c->stream);
    if (e != cudaSuccess) return e;
    launch_push(c, d);
    firn_mpm_launch_fused_01_03(d, &c->l, linear, c->stream);
    if (which == GRAPH_FIRST) {  // step 2: volumes from masses, and what depends on them
        firn_mpm_launch_grid_velocity(d, &c->l, c->stream);
        firn_mpm_launch_volumes(d, c->stream);
        firn_mpm_launch_stress(d, linear, true, c->stream);
        firn_mpm_launch_fused_01_03(d, &c->l, linear, c->stream);
    }
    if (linear) firn_mpm_launch_add_mass(d, &c->l, c->stream);
    firn_mpm_launch_grid_velocity(d, &c->l, c->stream);
    firn_mpm_launch_grid_collide(d, &c->l, c->stream);
    const bool rigid = d->rigid.head != nullptr;
    if (rigid) e = capture_contacts(c, d);
    if (e == cudaSuccess && linear) e = capture_solve(c, d);
    if (e != cudaSuccess) return e;
    if (linear && rigid) firn_mpm_launch_lump_follow(d, &c->l, c->stream);
    if (linear && d->bodies.count > 0) firn_mpm_launch_react(d, &c->l, c->stream);
    if (linear && rigid) firn_mpm_launch_lump_react(d, &c->l, c->stream);
    firn_mpm_launch_fused_07_10(d, &c->l, c->stream);
    firn_mpm_launch_shed(d, c->stream);
    firn_mpm_launch_end(d, &c->l, c->stream);
    return cudaGetLastError();
}

}  // namespace

firn_result firn_mpm_cuda_launch(firn_cuda_sim* sim, const firn_device_batch* batch,
                                 firn_error* error)
{
    firn_mpm_cuda* c = firn_mpm_cuda_of(sim);
    const int implicit = batch->variant;
    FIRN_TRY(firn_cuda_bring_emitters(c, c->d.flakes, c->own.emitter_of, c->own.self, error));
    firn_mpm_launch_materials_at(&c->d, batch->time, c->stream);
    // explicit and semi-implicit steps hold the stress in different forms
    if (c->variant != implicit && (batch->step > 0 || !c->own.weighs))
        firn_mpm_launch_stress(&c->d, implicit != 0, false, c->stream);
    firn_mpm_launch_orders(&c->d, batch, c->stream);
    firn_mpm_device d = c->d;
    d.implicit = implicit;
    for (int k = 0; k < batch->steps; k++) {
        const int64_t step = batch->step + k;
        const int which = step == 0 && c->own.weighs               ? GRAPH_FIRST
                          : step % FIRN_MPM_STEPS_PER_REORDER == 0 ? GRAPH_REORDER
                                                                   : GRAPH_PLAIN;
        FIRN_TRY(firn_cuda_launch_graph(
            c, implicit * GRAPH_COUNT + which, [&] { return launch_step(c, &d, which); }, error));
    }
    return FIRN_OK;
}
