// SPDX-License-Identifier: MIT
// Stands in for picture_cuda.cu in builds without CUDA.
#include "render/path/cuda/picture_cuda.h"
#include "render/path/machine/picture_machine.h"

static firn_result create(const firn_picture_work* work, firn_film* film, int device,
                          void** out_self, firn_error* error)
{
    (void)work;
    (void)film;
    (void)device;
    (void)out_self;
    return firn_fail(error, FIRN_REFUSED_BACKEND,
                     "this firn was built without CUDA: render with backend cpu");
}

const firn_picture_machine firn_picture_on_cuda = {.create = create};
