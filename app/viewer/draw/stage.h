// SPDX-License-Identifier: MIT
// From a session to a picture: meshes of the bodies are sent to the GPU once, then each frame is
// put together from the newest snapshot.
#pragma once
#include "viewer/draw/draw.h"
#include "viewer/overlay.h"
#include "viewer/session.h"

typedef struct view_stage view_stage;

// Needs a current context, which must stay until destroy. Refused: what the driver lacks.
firn_result view_stage_create(view_source* source, view_stage** out_stage, firn_error* out_error);
void view_stage_destroy(view_stage* stage);
// Draws into the framebuffer that is bound.
void view_stage_draw(view_stage* stage, const view_session* s);
// What was drawn: [height][width][3]; borrowed until the next call. Null: memory is out.
const uint8_t* view_stage_read(view_stage* stage, const view_session* s);
