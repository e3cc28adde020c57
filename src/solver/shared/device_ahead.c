// SPDX-License-Identifier: MIT
#include "solver/shared/device_ahead.h"

#include "core/memory.h"
#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "geometry/deform/deforming.h"

void firn_device_ahead_begin(const firn_collider* colliders, firn_local count,
                             firn_device_ahead* out_ahead)
{
    *out_ahead = (firn_device_ahead){0};
    firn_local deforming = 0;
    for (firn_local c = 0; c < count; c++) deforming += colliders[c].deforming != NULL;
    const int others = firn_team_size() - 1;  // the caller waits for the device, and writes
    if (deforming == 0 || others < 1) return;
    out_ahead->each = firn_alloc((size_t)deforming, sizeof *out_ahead->each);
    if (out_ahead->each == NULL) return;
    const int threads = others > deforming ? others / (int)deforming : 1;
    for (firn_local c = 0; c < count; c++) {
        if (colliders[c].deforming == NULL) continue;
        firn_deforming* d = firn_deforming_share(colliders[c].deforming);
        firn_deforming_begin_ahead(d, threads);
        out_ahead->each[out_ahead->count++] = d;
    }
}

void firn_device_ahead_end(firn_device_ahead* ahead)
{
    for (firn_local k = 0; k < ahead->count; k++) {
        firn_deforming_end_ahead(ahead->each[k]);
        firn_deforming_release(ahead->each[k]);
    }
    firn_free(ahead->each);
    *ahead = (firn_device_ahead){0};
}
