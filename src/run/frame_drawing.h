// SPDX-License-Identifier: MIT
// The preview of a frame, drawn by other cores while the frame's files are written. A picture is
// the same whoever draws it.
#pragma once
#include <pthread.h>

#include "core/threads/team.h"
#include "output/frame/frame.h"
#include "render/image/image.h"
#include "scene/data/scene.h"

typedef struct firn_memory_budget firn_memory_budget;

typedef struct firn_frame_drawing {
    const firn_frame* frame;       // borrowed until end
    const firn_scene_data* scene;  // borrowed until end
    firn_team* team;               // owned
    firn_memory_budget* budget;
    pthread_t thread;
    bool started;
    firn_image image;
    firn_result result;
    firn_error error;
} firn_frame_drawing;

// Begins to draw where `beside` is true and a thread can be started; otherwise `take` draws.
void firn_frame_drawing_begin(firn_frame_drawing* drawing, const firn_frame* frame,
                              const firn_scene_data* scene, bool beside);
// Waits for the picture. It is the caller's.
firn_result firn_frame_drawing_take(firn_frame_drawing* drawing, firn_image* out_image,
                                    firn_error* error);
// Ends what was not taken. Zeroed, never begun and taken drawings are fine.
void firn_frame_drawing_end(firn_frame_drawing* drawing);
