// SPDX-License-Identifier: MIT
// Where memory comes from, as the program chooses (host.h).
#include "core/memory.h"
#include "core/result.h"
#include "firn/host.h"

firn_result firn_set_allocator(const firn_allocator* allocator)
{
    firn_error* error = firn_call(NULL);
    if (allocator != NULL && (allocator->allocate == NULL || allocator->release == NULL))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the allocator has no function `%s`: set both, or pass null for malloc",
                         allocator->allocate == NULL ? "allocate" : "release");
    if (!firn_memory_set_allocator(allocator))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "firn holds memory of the allocator before: choose one before the first "
                         "scene, or when all scenes, simulations and results are destroyed");
    return FIRN_OK;
}
