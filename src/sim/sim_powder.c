// SPDX-License-Identifier: MIT
#include "sim/sim_powder.h"

#include <string.h>

size_t firn_sim_powder_size(const firn_sim* sim)
{
    const firn_powder* powder = firn_sim_powder(sim);
    return powder != NULL ? firn_powder_size(powder) + sizeof(uint64_t) : 0;
}

void firn_sim_powder_save(const firn_sim* sim, char* block)
{
    const firn_powder* powder = firn_sim_powder(sim);
    if (powder == NULL) return;
    const uint64_t size = firn_powder_size(powder);
    firn_powder_save(powder, block);
    memcpy(block + size, &size, sizeof size);
}

firn_result firn_sim_powder_split(const firn_sim* sim, const char* block, size_t size,
                                  size_t* out_before, firn_error* error)
{
    uint64_t own = UINT64_MAX;
    *out_before = size;
    if (firn_sim_powder(sim) == NULL) return FIRN_OK;
    if (size >= sizeof own) memcpy(&own, block + size - sizeof own, sizeof own);
    if (size < sizeof own || own > size - sizeof own)
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "its powder is missing");
    *out_before = size - sizeof own - (size_t)own;
    return FIRN_OK;
}

firn_result firn_sim_powder_restore(firn_sim* sim, const char* block, size_t size,
                                    firn_error* error)
{
    firn_powder* powder = firn_sim_powder(sim);
    if (powder == NULL) return FIRN_OK;
    return firn_powder_restore(powder, &sim->scene.powder, sim->scene.material_count, block,
                               size - sizeof(uint64_t), error);
}
