// SPDX-License-Identifier: MIT
// Motions from the nodes of glTF files.
#include "geometry/motion/node_motion.h"

#include "core/memory.h"
#include "mesh/io/animation.h"

firn_result firn_motion_from_node(const char* file, const char* clip, const char* node,
                                  double start, firn_motion* out_motion, firn_error* error)
{
    firn_node_key* path;
    firn_local count;
    FIRN_TRY(firn_animation_node_path(file, clip, node, &path, &count, error));
    firn_motion motion = firn_motion_at_rest();
    motion.interpolation = FIRN_INTERPOLATE_LINEAR;
    motion.key_count = count;
    motion.keys = firn_alloc((size_t)count, sizeof *motion.keys);
    firn_result result = FIRN_OK;
    if (motion.keys == NULL)
        result = firn_fail(error, FIRN_BROKEN_MEMORY, "'%s': no memory for %d keys of node '%s'",
                           file, (int)count, node);
    for (firn_local k = 0; result == FIRN_OK && k < count; k++)
        motion.keys[k] = (firn_keyframe){start + path[k].time, path[k].position, path[k].rotation,
                                         path[k].scale};
    firn_free(path);
    if (result == FIRN_OK) {
        firn_error reason = {0};
        result = firn_motion_check(&motion, &reason);
        if (result != FIRN_OK)
            firn_fail(error, result, "'%s', node '%s': %s", file, node, reason.text);
    }
    if (result == FIRN_OK)
        *out_motion = motion;
    else
        firn_free(motion.keys);
    return result;
}
