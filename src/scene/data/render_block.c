// SPDX-License-Identifier: MIT
// What a block `render` owns.
#include "scene/data/render_block.h"

#include <string.h>

#include "core/memory.h"
#include "core/text.h"

static bool own_text(char** text)
{
    if (*text == NULL) return true;
    *text = firn_strdup(*text);
    return *text != NULL;
}

bool firn_render_own(firn_render_block* copy)
{
    bool ok = own_text(&copy->sky_picture);
    ok = own_text(&copy->camera_file) && ok;
    ok = own_text(&copy->camera_name) && ok;
    const firn_camera_key* track = copy->camera_track;
    if (track == NULL) return ok;
    const size_t count = (size_t)copy->camera_track_count;
    copy->camera_track = firn_alloc(count, sizeof *track);
    copy->camera_track_count = 0;
    if (copy->camera_track == NULL) return false;
    memcpy(copy->camera_track, track, count * sizeof *track);
    copy->camera_track_count = (int32_t)count;
    return ok;
}

void firn_render_release(firn_render_block* block)
{
    firn_free(block->sky_picture);
    firn_free(block->camera_file);
    firn_free(block->camera_name);
    firn_free(block->camera_track);
    block->sky_picture = block->camera_file = block->camera_name = NULL;
    block->camera_track = NULL;
    block->camera_track_count = 0;
}
