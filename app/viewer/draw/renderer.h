// SPDX-License-Identifier: MIT
// Draws a session: uploads collider meshes once, then builds each frame from the newest snapshot.
#pragma once
#include "viewer/draw/draw.h"
#include "viewer/overlay.h"
#include "viewer/session.h"

typedef struct view_renderer view_renderer;

// Needs a current context until destroy. Refused: the error says what the driver lacks.
firn_result view_renderer_create(view_source* source, view_renderer** out_stage,
                                 firn_error* out_error);
void view_renderer_destroy(view_renderer* renderer);
// Draws into the bound framebuffer.
void view_renderer_draw(view_renderer* renderer, const view_session* s);
// Reads the picture: [height][width][3]; borrowed until the next call. Null: out of memory.
const uint8_t* view_renderer_read(view_renderer* renderer, const view_session* s);
