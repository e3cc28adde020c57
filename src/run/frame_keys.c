// SPDX-License-Identifier: MIT
#include "run/frame_keys.h"

#include "core/memory.h"
#include "geometry/deform/deforming.h"

void firn_frame_keys_hold(firn_frame_keys* keys, firn_deforming* deforming, double time)
{
    if (!firn_reserve((void**)&keys->poses, &keys->capacity, keys->count + 1, sizeof *keys->poses))
        return;
    firn_deform_pose* pose = &keys->poses[keys->count];
    *pose = (firn_deform_pose){0};
    if (firn_deforming_move(deforming, time, pose, NULL) == FIRN_OK) keys->count++;
}

void firn_frame_keys_release(firn_frame_keys* keys)
{
    for (firn_local k = 0; k < keys->count; k++) firn_deform_pose_release(&keys->poses[k]);
    firn_free(keys->poses);
    *keys = (firn_frame_keys){0};
}
