// SPDX-License-Identifier: MIT
// Builds without CUDA: a simulation on a GPU cannot be made, so that nothing else here is reached.
#include "solver/grains/cuda/grains_cuda.h"

static firn_result refuse(firn_error* error)
{
    return firn_fail(
        error, FIRN_REFUSED_BACKEND,
        "this build of firn has no CUDA: build it where nvcc is found, or use backend cpu");
}

firn_result firn_grains_cuda_create(const firn_grains_cuda_def* def, firn_grains_cuda** out,
                                    firn_error* error)
{
    (void)def;
    (void)out;
    return refuse(error);
}

void firn_grains_cuda_destroy(firn_grains_cuda* cuda)
{
    (void)cuda;
}

size_t firn_grains_cuda_bytes(const firn_grains_cuda* cuda)
{
    (void)cuda;
    return 0;
}

bool firn_grains_cuda_deforms(const firn_grains_cuda* cuda)
{
    (void)cuda;
    return false;
}

firn_result firn_grains_cuda_upload(firn_grains_cuda* cuda, const firn_grains_particles* from,
                                    firn_error* error)
{
    (void)cuda;
    (void)from;
    return refuse(error);
}

firn_result firn_grains_cuda_keep(firn_grains_cuda* cuda, firn_error* error)
{
    (void)cuda;
    return refuse(error);
}

firn_result firn_grains_cuda_return(firn_grains_cuda* cuda, firn_error* error)
{
    (void)cuda;
    return refuse(error);
}

firn_result firn_grains_cuda_download(firn_grains_cuda* cuda, bool kept, firn_grains_particles* to,
                                      firn_error* error)
{
    (void)cuda;
    (void)kept;
    (void)to;
    return refuse(error);
}

firn_result firn_grains_cuda_drive(firn_grains_cuda* cuda, const firn_grains_climate* climate,
                                   const firn_grains_body_climate* body_climate, firn_error* error)
{
    (void)cuda;
    (void)climate;
    (void)body_climate;
    return refuse(error);
}

firn_result firn_grains_cuda_begin(firn_grains_cuda* cuda, const firn_grains_cuda_batch* batch,
                                   firn_error* error)
{
    (void)cuda;
    (void)batch;
    return refuse(error);
}

firn_result firn_grains_cuda_wait(firn_grains_cuda* cuda,
                                  const firn_grains_cuda_record** out_records, int* out_count,
                                  firn_error* error)
{
    (void)cuda;
    (void)out_records;
    (void)out_count;
    return refuse(error);
}

firn_result firn_grains_cuda_grow(firn_grains_cuda* cuda, firn_error* error)
{
    (void)cuda;
    return refuse(error);
}
