// SPDX-License-Identifier: MIT
// Block `ageing`: how fast snow creeps and sinters, compared with how fast it moves.
#include "scene/data/scene.h"
#include "scene/keys/blocks.h"

static void set_defaults(void* at)
{
    *(firn_ageing_block*)at = (firn_ageing_block){.time_scale = 0};
}

static const firn_key keys[] = {
    {"time_scale", FIRN_KEY_REAL, offsetof(firn_ageing_block, time_scale), "-", 0, 1e9, "0", NULL,
     NULL,
     "Seconds of creep and sintering that a simulated second stands for: 1 is real time, 1e5 puts "
     "a day into 0.9 s; 0: snow does not age."},
};
const firn_key_block firn_ageing_keys = {
    "ageing",
    "Creep and sintering (solver mpm), by 'viscosity' and 'sintering_time' of materials.",
    keys,
    FIRN_KEY_COUNT(keys),
    sizeof(firn_ageing_block),
    set_defaults,
    NULL};
