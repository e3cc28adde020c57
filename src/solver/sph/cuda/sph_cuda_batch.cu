// SPDX-License-Identifier: MIT
// Batches of steps on a GPU. A batch is one launch of a graph, captured once: a loop around the
// stages of sph_step.c, in which the two solves are loops that the device ends.
#include "device/cuda_graph.cuh"
#include "solver/sph/cuda/sph_cuda_own.cuh"

namespace {

// Step 0: new flakes, order of the store, boundary particles, length of the step, lists, contacts.
cudaError_t launch_prepare(const firn_sph_device* d, cudaStream_t stream)
{
    firn_sph_launch_begin(d, stream);
    firn_sph_launch_emit(d, stream);
    cudaError_t e = firn_sph_launch_sort(d, stream);
    if (e != cudaSuccess) return e;
    firn_sph_launch_pose(d, stream);
    e = firn_sph_launch_pose_deforming(d, stream);
    if (e != cudaSuccess) return e;
    e = firn_sph_launch_sort_wall(d, stream);
    if (e != cudaSuccess) return e;
    firn_sph_launch_wall_volumes(d, stream);
    firn_sph_launch_wall_speed(d, stream);
    firn_sph_launch_look(d, stream);
    firn_sph_launch_choose(d, stream);
    firn_sph_launch_phases(d, stream);
    firn_sph_launch_lists(d, stream);
    e = firn_sph_launch_contacts(d, stream);
    if (e != cudaSuccess) return e;
    e = firn_sph_launch_count_holds(d, stream);
    firn_sph_launch_check_lists(d, stream);
    return e;
}

cudaError_t launch_stages(const firn_sph_device* d, cudaGraphConditionalHandle loop,
                          cudaStream_t stream)
{
    firn_sph_launch_push(d, stream);
    cudaError_t e = firn_sph_launch_holds(d, stream);
    if (e != cudaSuccess) return e;
    firn_sph_launch_carry(d, stream);
    firn_sph_launch_stamp(d, FIRN_SPH_STAMP_01, stream);
    firn_sph_launch_rest_density(d, stream);
    firn_sph_launch_stamp(d, FIRN_SPH_STAMP_02, stream);
    firn_sph_launch_gradient_correction(d, stream);
    firn_sph_launch_stamp(d, FIRN_SPH_STAMP_03_04, stream);
    firn_sph_launch_other_accelerations(d, stream);
    firn_sph_launch_cohesion(d, stream);
    if (!d->coulomb)
        firn_sph_launch_brake(d, d->paper_contact ? FIRN_SPH_BRAKE_ALL : FIRN_SPH_BRAKE_NORMAL,
                              stream);
    firn_sph_launch_friction(d, stream);
    e = firn_sph_launch_viscosity(d, stream);
    if (e != cudaSuccess) return e;
    firn_sph_launch_stamp(d, FIRN_SPH_STAMP_05, stream);
    if (!d->combined) e = firn_sph_launch_pressure(d, stream);
    if (e != cudaSuccess) return e;
    firn_sph_launch_stamp(d, FIRN_SPH_STAMP_06, stream);
    e = firn_sph_launch_shear(d, stream);
    if (e != cudaSuccess) return e;
    firn_sph_launch_stamp(d, FIRN_SPH_STAMP_07_09, stream);
    firn_sph_launch_velocity(d, stream);
    firn_sph_launch_loads(d, stream);
    firn_sph_launch_balance(d, stream);
    firn_sph_launch_deformation(d, stream);
    firn_sph_launch_advect(d, stream);
    e = firn_sph_launch_heat(d, stream);
    if (e != cudaSuccess) return e;
    firn_sph_launch_change(d, stream);
    firn_sph_launch_end(d, loop, stream);
    return cudaGetLastError();
}

cudaError_t launch_loop(const firn_sph_cuda* c)
{
    cudaStreamCaptureStatus status;
    cudaGraph_t graph;
    cudaError_t e =
        cudaStreamGetCaptureInfo(c->stream, &status, nullptr, &graph, nullptr, nullptr, nullptr);
    if (e != cudaSuccess) return e;
    cudaGraphConditionalHandle loop;  // a batch has at least one step
    e = cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault);
    if (e != cudaSuccess) return e;
    return firn_cuda_capture_part(c->stream, loop, cudaGraphCondTypeWhile, [&](cudaStream_t inner) {
        if (!c->d.rigid.active) e = launch_prepare(&c->d, inner);
        return e == cudaSuccess ? launch_stages(&c->d, loop, inner) : e;
    });
}

// With dynamic colliders a batch is one step, in two launches: the host's engine needs its length
// before snow and colliders are solved for. *out_begun: false where the step has ended already.
firn_result begin_with_bodies(firn_sph_cuda* c, bool* out_begun, firn_error* error)
{
    const auto prepare = [&] { return launch_prepare(&c->d, c->stream); };
    FIRN_TRY(firn_cuda_launch_graph(c, 1, prepare, error));
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->control, c->device_control, sizeof(firn_sph_control),
                                  cudaMemcpyDeviceToHost, c->stream),
                  error, "copying the length of a step");
    FIRN_CUDA_TRY(cudaStreamSynchronize(c->stream), error, "computing the length of a step");
    *out_begun = c->control->halt == 0;
    return *out_begun ? firn_sph_cuda_begin_bodies(c, error) : FIRN_OK;
}

}  // namespace

firn_result firn_sph_cuda_launch(firn_cuda_sim* sim, const firn_device_batch* batch,
                                 firn_error* error)
{
    firn_sph_cuda* c = firn_sph_cuda_of(sim);
    FIRN_TRY(firn_cuda_bring_emitters(c, c->d.flakes, c->own.emitter_of, c->own.self, error));
    firn_sph_launch_orders(&c->d, batch, c->stream);
    if (c->d.rigid.active) {
        bool begun;
        FIRN_TRY(begin_with_bodies(c, &begun, error));
        if (!begun) return FIRN_OK;
    }
    return firn_cuda_launch_graph(
        c, 0, [&] { return launch_loop(c); }, error);
}
