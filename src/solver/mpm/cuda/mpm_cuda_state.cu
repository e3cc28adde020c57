// SPDX-License-Identifier: MIT
// Where particle fields lie on the device, what is derived from them after an upload or a rollback,
// and nodes for tests.
#include <climits>
#include <cmath>
#include <cstring>

#include "core/memory.h"
#include "physics/powder.h"
#include "solver/mpm/cuda/mpm_cuda_own.cuh"

const firn_cuda_field firn_mpm_cuda_fields[] = {
    {"position", FIRN_MPM_AT, 0, 3, 0, 0},
    {"velocity", FIRN_MPM_MOTION, 0, 3, 0, 0},
    {"def_grad_elastic", FIRN_MPM_STRAIN0, 0, 4, 0, 0},  // nine reals in a row
    {"plastic_det", FIRN_MPM_MOTION, 3, 1, 0, 0},
    {"mass", FIRN_MPM_AT, 3, 1, 0, 0},
    {"volume", FIRN_MPM_STRAIN2, 1, 1, 0, 0},
    {"stiffness", FIRN_MPM_STRAIN2, 2, 1, 0, 0},
    {"material", FIRN_MPM_STRAIN2, 3, 1, 0, 8},
    {"id", FIRN_MPM_ID, 0, 1, 0, 0},
    {"emitter", FIRN_MPM_EMITTER, 0, 1, 0, 0},
    {"broken_share", FIRN_MPM_BROKEN, 0, 1, 0, 0},
    {"broken_det", FIRN_MPM_BROKEN, 1, 1, 0, 0},
    {"affine", FIRN_MPM_AFFINE0, 0, 3, 0, 0},  // a row in each array
    {"grip", FIRN_MPM_GRIP, 0, 1, 0, 0},
    {"consolidation", FIRN_MPM_CLAY, 0, 1, 0, 0},
    {"creep_stiffness", FIRN_MPM_CREEP, 0, 1, 0, 0},
    {"healed_det", FIRN_MPM_HEALED, 0, 1, 0, 0},
    {"hardening", FIRN_MPM_VARIED, 0, 1, 0, 0},
    {"compression", FIRN_MPM_VARIED, 1, 1, 0, 0},
    {"stretch", FIRN_MPM_VARIED, 2, 1, 0, 0},
    {nullptr, 0, 0, 0, 0, 0},
};

namespace {

__global__ void forget_speeds(firn_mpm_control* c)
{
    c->speed2 = c->sound2 = 0;
}

// Until step 2 has volumes there is no stress.
firn_result clear_stress(firn_mpm_cuda* c, firn_error* error)
{
    const size_t n = (size_t)c->control->count;
    FIRN_CUDA_TRY(cudaMemsetAsync(c->d.stress0, 0, n * sizeof(float4), c->stream), error,
                  "preparing particles");
    FIRN_CUDA_TRY(cudaMemsetAsync(c->d.stress1, 0, n * sizeof(float4) / (c->own.may_solve ? 1 : 2),
                                  c->stream),
                  error, "preparing particles");
    if (c->d.stress2 != nullptr)
        FIRN_CUDA_TRY(cudaMemsetAsync(c->d.stress2, 0, n * sizeof(float), c->stream), error,
                      "preparing particles");
    return FIRN_OK;
}

double root_of_bits(unsigned bits)
{
    float square;
    memcpy(&square, &bits, sizeof square);
    return sqrt((double)square);
}

// Speeds and sound of all particles, also to the host's copy of the control block.
firn_result measure(firn_mpm_cuda* c, double* carried, firn_error* error)
{
    firn_mpm_launch_measure(&c->d, c->stream);
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->control, c->d.control, sizeof *c->d.control,
                                  cudaMemcpyDeviceToHost, c->stream),
                  error, "measuring speeds");
    FIRN_CUDA_TRY(cudaStreamSynchronize(c->stream), error, "measuring speeds");
    const firn_mpm_control* measured = static_cast<const firn_mpm_control*>(c->control);
    carried[FIRN_MPM_CARRIED_SPEED] = root_of_bits(measured->speed2);
    carried[FIRN_MPM_CARRIED_SOUND] = root_of_bits(measured->sound2);
    return FIRN_OK;
}

}  // namespace

firn_result firn_mpm_cuda_uploaded(firn_cuda_sim* sim, int64_t step, double* carried,
                                   firn_local* out_bad, firn_error* error)
{
    firn_mpm_cuda* c = firn_mpm_cuda_of(sim);
    if (step == 0 && c->own.weighs) FIRN_TRY(clear_stress(c, error));
    const int count = c->control->count;
    FIRN_TRY(measure(c, carried, error));
    const int bad = static_cast<const firn_mpm_control*>(c->control)->bad;
    *out_bad = bad == INT_MAX ? count : bad;
    return FIRN_OK;
}

// The sound of materials that change over time is that of the time.
firn_result firn_mpm_cuda_meet_time(firn_cuda_sim* sim, double time, double* carried,
                                    firn_error* error)
{
    firn_mpm_cuda* c = firn_mpm_cuda_of(sim);
    if (c->d.material_defs == nullptr) return FIRN_OK;
    firn_mpm_launch_materials_at(&c->d, time, c->stream);
    return measure(c, carried, error);
}

// The stress is computed again: the same function of the same numbers, so the same bits. It changes
// the control block, which then comes back once more.
firn_result firn_mpm_cuda_rolled_back(firn_cuda_sim* sim, firn_error* error)
{
    firn_mpm_cuda* c = firn_mpm_cuda_of(sim);
    if (c->variant == FIRN_CUDA_NO_BATCH) return FIRN_OK;  // the next batch computes it
    firn_mpm_launch_materials_now(&c->d, c->stream);
    forget_speeds<<<1, 1, 0, c->stream>>>(c->d.control);
    firn_mpm_launch_stress(&c->d, c->variant != 0, false, c->stream);
    return firn_cuda_restore_control(c, error);
}

firn_result firn_mpm_cuda_read_nodes(firn_device_sim* sim, firn_mpm_cuda_nodes* out,
                                     firn_error* error)
{
    const firn_mpm_cuda* c = static_cast<firn_mpm_cuda*>(sim);
    FIRN_TRY(firn_cuda_use(c, error));
    firn_device_grid_counts counts;
    FIRN_CUDA_TRY(cudaMemcpy(&counts, c->d.grid.counts, sizeof counts, cudaMemcpyDeviceToHost),
                  error, "reading nodes");
    const size_t blocks = (size_t)counts.block_count, nodes = blocks * FIRN_BLOCK_NODES;
    *out = firn_mpm_cuda_nodes{(firn_local)nodes, nullptr, nullptr, nullptr};
    out->coord = (int32_t(*)[3])firn_alloc(nodes + 1, sizeof *out->coord);
    out->velocity = (firn_real(*)[4])firn_alloc(nodes + 1, sizeof *out->velocity);
    out->now = (firn_real(*)[4])firn_alloc(nodes + 1, sizeof *out->now);
    int4* coord = (int4*)firn_alloc(blocks + 1, sizeof *coord);
    if (out->coord == nullptr || out->velocity == nullptr || out->now == nullptr ||
        coord == nullptr) {
        firn_free(coord);
        firn_free(out->coord);
        firn_free(out->velocity);
        firn_free(out->now);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    }
    cudaMemcpy(coord, c->d.grid.coord, blocks * sizeof *coord, cudaMemcpyDeviceToHost);
    cudaMemcpy(out->velocity, c->d.node_velocity, nodes * sizeof(float4), cudaMemcpyDeviceToHost);
    cudaMemcpy(out->now, c->d.node_new, nodes * sizeof(float4), cudaMemcpyDeviceToHost);
    for (size_t n = 0; n < nodes; n++) {
        const int4 b = coord[n / FIRN_BLOCK_NODES];
        const int local = (int)(n % FIRN_BLOCK_NODES);
        out->coord[n][0] = b.x * 4 + (local >> 4);
        out->coord[n][1] = b.y * 4 + (local >> 2 & 3);
        out->coord[n][2] = b.z * 4 + (local & 3);
    }
    firn_free(coord);
    FIRN_CUDA_TRY(cudaGetLastError(), error, "reading nodes");
    return FIRN_OK;
}

firn_result firn_mpm_cuda_read_powder(firn_device_sim* sim, firn_powder_birth* out,
                                      firn_local count, firn_error* error)
{
    const firn_mpm_cuda* c = static_cast<firn_mpm_cuda*>(sim);
    FIRN_TRY(firn_cuda_use(c, error));
    if (count > 0)
        FIRN_CUDA_TRY(
            cudaMemcpy(out, c->d.powder.born, (size_t)count * sizeof *out, cudaMemcpyDeviceToHost),
            error, "copying powder");
    return FIRN_OK;
}
