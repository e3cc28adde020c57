// SPDX-License-Identifier: MIT
// A run whose GPU fails in the middle of a frame: an error with the reason, what was finished is
// intact, and the CPU goes on from the last checkpoint. Include after device_way (device_sim.h of
// mpm, device_grains.h).
#pragma once
#include "device/lose_device.h"
#include "output/run/manifest.h"

#define LOST_OUTPUT "output={preview: false, film: false, checkpoint: {every: 1}}"
enum { LOST_FRAME = 4 };  // in which it happens

static inline void lose_in_frame(void* user, const firn_progress* progress)
{
    bool* lost = user;
    if (*lost || progress->frame_done || progress->frame < LOST_FRAME) return;
    *lost = true;
    if (!device_lose()) fail_msg("the device cannot be lost");
}

// Returns the hash of the last frame, which the CPU has computed.
static inline uint64_t lost_and_resumed(const char* dir)
{
    bool lost = false;
    firn_sim* sim = device_sim(&(device_way){.on_device = true,
                                             .override = LOST_OUTPUT,
                                             .dir = dir,
                                             .progress = lose_in_frame,
                                             .user = &lost});
    const firn_result r = firn_sim_run(sim);
    print_message("%s\n", firn_sim_error(sim));
    assert_true(lost);
    assert_int_equal(r, FIRN_BROKEN_DEVICE);
    assert_contains(firn_sim_error(sim), "cuda: ");
    assert_contains(firn_sim_error(sim), "resume from a checkpoint");
    assert_int_not_equal(firn_sim_step(sim), FIRN_OK);
    firn_sim_destroy(sim);

    firn_manifest m;
    firn_error error = {0};
    if (firn_manifest_read(dir, &m, &error) != FIRN_OK) fail_msg("%s", error.text);
    int64_t newest = -1;
    for (int64_t frame = 0; frame <= 6; frame++)
        if (firn_manifest_find(&m, FIRN_ENTRY_CHECKPOINT, frame) != NULL) newest = frame;
    firn_manifest_destroy(&m);
    assert_int_equal(newest, LOST_FRAME - 1);
    return device_hash(&(device_way){.override = LOST_OUTPUT, .dir = dir, .resume = true});
}
