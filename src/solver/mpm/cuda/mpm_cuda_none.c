// SPDX-License-Identifier: MIT
// Builds without CUDA: a simulation on a GPU cannot be made, so that nothing else here is reached.
#include "solver/mpm/cuda/mpm_cuda.h"

static firn_result refuse(firn_error* error)
{
    return firn_fail(
        error, FIRN_REFUSED_BACKEND,
        "this build of firn has no CUDA: build it where nvcc is found, or use backend cpu");
}

firn_result firn_mpm_cuda_create(const firn_mpm_cuda_def* def, firn_mpm_cuda** out,
                                 firn_error* error)
{
    (void)def;
    (void)out;
    return refuse(error);
}

void firn_mpm_cuda_destroy(firn_mpm_cuda* cuda)
{
    (void)cuda;
}

size_t firn_mpm_cuda_bytes(const firn_mpm_cuda* cuda)
{
    (void)cuda;
    return 0;
}

bool firn_mpm_cuda_deforms(const firn_mpm_cuda* cuda)
{
    (void)cuda;
    return false;
}

firn_result firn_mpm_cuda_drive(firn_mpm_cuda* cuda, firn_error* error)
{
    (void)cuda;
    return refuse(error);
}

firn_result firn_mpm_cuda_upload(firn_mpm_cuda* cuda, const firn_mpm_particles* from, int64_t step,
                                 firn_error* error)
{
    (void)cuda;
    (void)from;
    (void)step;
    return refuse(error);
}

firn_result firn_mpm_cuda_measure(firn_mpm_cuda* cuda, double* out_speed, double* out_sound,
                                  firn_local* out_bad, firn_error* error)
{
    (void)cuda;
    (void)out_speed;
    (void)out_sound;
    (void)out_bad;
    return refuse(error);
}

firn_result firn_mpm_cuda_keep(firn_mpm_cuda* cuda, firn_error* error)
{
    (void)cuda;
    return refuse(error);
}

firn_result firn_mpm_cuda_return(firn_mpm_cuda* cuda, firn_error* error)
{
    (void)cuda;
    return refuse(error);
}

firn_result firn_mpm_cuda_download(firn_mpm_cuda* cuda, bool kept, firn_mpm_particles* to,
                                   firn_error* error)
{
    (void)cuda;
    (void)kept;
    (void)to;
    return refuse(error);
}

firn_result firn_mpm_cuda_begin(firn_mpm_cuda* cuda, const firn_mpm_cuda_batch* batch,
                                firn_error* error)
{
    (void)cuda;
    (void)batch;
    return refuse(error);
}

firn_result firn_mpm_cuda_wait(firn_mpm_cuda* cuda, const firn_mpm_cuda_record** out_records,
                               int* out_count, firn_error* error)
{
    (void)cuda;
    (void)out_records;
    (void)out_count;
    return refuse(error);
}

firn_result firn_mpm_cuda_grow(firn_mpm_cuda* cuda, firn_error* error)
{
    (void)cuda;
    return refuse(error);
}

firn_result firn_mpm_cuda_read_nodes(firn_mpm_cuda* cuda, firn_mpm_cuda_nodes* out_nodes,
                                     firn_error* error)
{
    (void)cuda;
    (void)out_nodes;
    return refuse(error);
}

void firn_mpm_cuda_nodes_free(firn_mpm_cuda_nodes* nodes)
{
    (void)nodes;
}
