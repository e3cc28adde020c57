// SPDX-License-Identifier: MIT
// What halos of a division will send, before any rank exists: the bytes of halo.h for given blocks
// and cuts.
#pragma once
#include "comm/cuts.h"

typedef struct firn_halo_forecast {
    int64_t* bytes;       // owned [ranks]: sent by each for one array of nodes
    int32_t* neighbours;  // owned [ranks]: ranks that it sends to
} firn_halo_forecast;

// `keys` [count]: firn_block_key of the occupied blocks, ascending. FIRN_BROKEN_MEMORY.
firn_result firn_halo_forecast_make(const firn_cuts* cuts, const uint64_t* keys, firn_local count,
                                    firn_halo_forecast* out_forecast);
void firn_halo_forecast_destroy(firn_halo_forecast* forecast);
