// SPDX-License-Identifier: MIT
// Where the fields of grains lie on the device, and what follows an upload or a rollback.
#include "solver/grains/cuda/grains_cuda_own.cuh"

const firn_cuda_field firn_grains_cuda_fields[] = {
    {"position", FIRN_GRAINS_MOVES, 0, 3, 0, 0},
    {"radius", FIRN_GRAINS_MOVES, 3, 1, 0, 0},
    {"velocity", FIRN_GRAINS_MOVES, 4, 3, 0, 0},
    {"phase", FIRN_GRAINS_MOVES, 7, 1, 0, 2},  // firn_grains_flags
    {"broken", FIRN_GRAINS_MOVES, 7, 1, 2, 1},
    {"whole", FIRN_GRAINS_MOVES, 7, 1, 3, 2},
    {"neighbours", FIRN_GRAINS_MOVES, 7, 1, 8, 8},
    {"neighbours_max", FIRN_GRAINS_MOVES, 7, 1, 16, 8},
    {"material", FIRN_GRAINS_MOVES, 7, 1, 24, 8},
    {"slip", FIRN_GRAINS_RESTS, 0, 3, 0, 0},
    {"temperature", FIRN_GRAINS_TURNS, 7, 1, 0, 0},
    {"spin", FIRN_GRAINS_TURNS, 0, 3, 0, 0},
    {"twist", FIRN_GRAINS_RESTS, 4, 3, 0, 0},
    {"origin", FIRN_GRAINS_TURNS, 4, 3, 0, 0},
    {"origin_radius", FIRN_GRAINS_TURNS, 3, 1, 0, 0},
    {"listed", FIRN_GRAINS_LISTED_AT, 0, 3, 0, 0},
    {"id", FIRN_GRAINS_LISTED_AT, 3, 1, 0, 0},
    {"enthalpy", FIRN_GRAINS_HEAT, 0, 1, 0, 0},
    {"enthalpy_rest", FIRN_GRAINS_HEAT, 1, 1, 0, 0},
    {"water", FIRN_GRAINS_HEAT, 2, 1, 0, 0},
    {"mass", FIRN_GRAINS_HEAT, 3, 1, 0, 0},
    {"bonds", FIRN_GRAINS_TIES, 0, 1, 0, 0},
    {"bonds_more", FIRN_GRAINS_TIES, 1, 1, 0, 0},
    {"listed_radius", FIRN_GRAINS_TIES, 2, 1, 0, 0},
    {nullptr, 0, 0, 0, 0, 0},
};

void firn_grains_cuda_find_state(firn_cuda_sim* sim)
{
    const firn_grains_device& d = firn_grains_cuda_of(sim)->d;
    firn_cuda_array* out = sim->state;
    const firn_grains_control* c = static_cast<const firn_grains_control*>(sim->control);
    out[FIRN_GRAINS_MOVES] = {d.moves[c->hot], sizeof(firn_grains_moves)};
    out[FIRN_GRAINS_TURNS] = {d.turns[c->hot], sizeof(firn_grains_turns)};
    out[FIRN_GRAINS_RESTS] = {d.rests[c->hot], sizeof(firn_grains_rests)};
    out[FIRN_GRAINS_LISTED_AT] = {d.listed[c->cold], sizeof(float4)};
    out[FIRN_GRAINS_HEAT] = {d.heat[c->cold], sizeof(float4)};
    out[FIRN_GRAINS_TIES] = {d.ties[c->cold], sizeof(uint4)};
}

// The snapshot came back into the first half of each pair, and its lists are gone.
__global__ static void begin_state(firn_grains_control* c)
{
    c->hot = c->cold = 0;
    c->listed = 0;
    c->ticket = 0;
}

firn_result firn_grains_cuda_uploaded(firn_cuda_sim* sim, int64_t step, double* carried,
                                      firn_local* out_bad, firn_error* error)
{
    (void)step;
    (void)carried;
    (void)out_bad;  // found by the first step
    firn_grains_launch_look(&firn_grains_cuda_of(sim)->d, false, sim->stream);
    FIRN_CUDA_TRY(cudaGetLastError(), error, "preparing grains");
    return FIRN_OK;
}

firn_result firn_grains_cuda_rolled_back(firn_cuda_sim* sim, firn_error* error)
{
    begin_state<<<1, 1, 0, sim->stream>>>(firn_grains_cuda_of(sim)->d.control);
    FIRN_CUDA_TRY(cudaGetLastError(), error, "returning to a snapshot");
    return FIRN_OK;
}
