// SPDX-License-Identifier: MIT
// Where the fields of particles lie on the device.
#include "solver/sph/cuda/sph_cuda_own.cuh"

const firn_cuda_field firn_sph_cuda_fields[] = {
    {"position", FIRN_SPH_AT, 0, 3, 0, 0},
    {"mass", FIRN_SPH_AT, 3, 1, 0, 0},
    {"velocity", FIRN_SPH_MOTION, 0, 3, 0, 0},
    {"pressure", FIRN_SPH_MOTION, 3, 1, 0, 0},
    {"def_grad_elastic", FIRN_SPH_STRAIN0, 0, 3, 0, 0},  // a row each in three arrays
    {"plastic_det", FIRN_SPH_STRAIN0, 3, 1, 0, 0},
    {"density", FIRN_SPH_STRAIN1, 3, 1, 0, 0},
    {"fresh_density", FIRN_SPH_STRAIN2, 3, 1, 0, 0},
    {"shear_acceleration", FIRN_SPH_PULL, 0, 3, 0, 0},
    {"stiffness", FIRN_SPH_PULL, 3, 1, 0, 0},
    {"id", FIRN_SPH_TAG, 0, 1, 0, 0},
    {"material", FIRN_SPH_TAG, 1, 1, 0, 8},
    {"hardening", FIRN_SPH_VARIED, 0, 1, 0, 0},
    {"compression", FIRN_SPH_VARIED, 1, 1, 0, 0},
    {"stretch", FIRN_SPH_VARIED, 2, 1, 0, 0},
    {"emitter", FIRN_SPH_EMITTER, 0, 1, 0, 0},
    {"temperature", FIRN_SPH_WARMTH, 0, 1, 0, 0},
    {"water", FIRN_SPH_WARMTH, 1, 1, 0, 0},
    {"age", FIRN_SPH_WARMTH, 2, 1, 0, 0},
    {"birth_density", FIRN_SPH_WARMTH, 3, 1, 0, 0},
    {nullptr, 0, 0, 0, 0, 0},
};
