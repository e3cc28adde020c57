// SPDX-License-Identifier: MIT
#include "run/frame_drawing.h"

#include <signal.h>

#include "core/memory.h"
#include "run/frame_picture.h"

static void* draw(void* self)
{
    firn_frame_drawing* d = self;
    firn_memory_use(d->budget);
    firn_team_use(d->team);
    d->result = firn_frame_picture(d->frame, d->scene, &d->image, &d->error);
    return NULL;
}

void firn_frame_drawing_begin(firn_frame_drawing* drawing, const firn_frame* frame,
                              const firn_scene_data* scene, bool beside)
{
    *drawing = (firn_frame_drawing){
        .frame = frame, .scene = scene, .budget = firn_memory_used(), .result = FIRN_OK};
    if (!beside) return;
    drawing->team = firn_team_create(firn_team_size());
    if (drawing->team == NULL) return;
    sigset_t all, before;  // signals are for the caller's threads
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    drawing->started = pthread_create(&drawing->thread, NULL, draw, drawing) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void join(firn_frame_drawing* drawing)
{
    if (drawing->started) pthread_join(drawing->thread, NULL);
    drawing->started = false;
    firn_team_destroy(drawing->team);
    drawing->team = NULL;
}

firn_result firn_frame_drawing_take(firn_frame_drawing* drawing, firn_image* out_image,
                                    firn_error* error)
{
    if (!drawing->started)
        return firn_frame_picture(drawing->frame, drawing->scene, out_image, error);
    join(drawing);
    if (drawing->result != FIRN_OK) {
        *error = drawing->error;
        return drawing->result;
    }
    *out_image = drawing->image;
    drawing->image = (firn_image){0};
    return FIRN_OK;
}

void firn_frame_drawing_end(firn_frame_drawing* drawing)
{
    join(drawing);
    firn_image_destroy(&drawing->image);
}
