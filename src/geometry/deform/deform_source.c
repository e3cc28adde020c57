// SPDX-License-Identifier: MIT
// Helpers for all sources of key frames.
#include "geometry/deform/deform_source.h"

#include <string.h>
#include <strings.h>

#include "geometry/deform/deform_velocity.h"

bool firn_deform_is_vdb(const char* file)
{
    const char* dot = strrchr(file, '.');
    return dot != NULL && strcasecmp(dot, ".vdb") == 0;
}

firn_result firn_deform_normal_motion(const firn_deform_stencil* stencil,
                                      firn_velocity_grid* out_grid, firn_error* error)
{
    const firn_level_set *before = NULL, *after = NULL;
    if (stencil->before >= 0)
        FIRN_TRY(stencil->load(stencil->context, stencil->before, &before, error));
    if (stencil->after >= 0)
        FIRN_TRY(stencil->load(stencil->context, stencil->after, &after, error));
    const firn_box3 none = {{1, 1, 1}, {0, 0, 0}};
    const firn_box3 boxes[3] = {before != NULL ? before->bounds : none, stencil->phi->bounds,
                                after != NULL ? after->bounds : none};
    FIRN_TRY(firn_deform_grid(boxes, stencil->phi->voxel, out_grid, error));
    const firn_deform_weights weights =
        firn_deform_weigh(stencil->length_before, stencil->length_after);
    firn_deform_from_distances(before, stencil->phi, after, weights, out_grid);
    return FIRN_OK;
}
