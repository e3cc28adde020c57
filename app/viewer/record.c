// SPDX-License-Identifier: MIT
// Recording.
#include "viewer/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "viewer/names.h"

firn_result view_record_begin(view_record* r, view_session* s, const char* path, double fps,
                              firn_error* error)
{
    *r = (view_record){.width = s->width, .height = s->height, .fps = fps, .begin = s->clock};
    r->path = path ? strdup(path) : view_name_reserve(s->source->name, "mp4");
    if (!r->path) {
        error->code = FIRN_REFUSED_IO;
        snprintf(error->text, sizeof error->text, "cannot create a file for the film here: %s",
                 strerror(errno));
        return FIRN_REFUSED_IO;
    }
    const firn_result result =
        firn_recording_begin(r->path, r->width, r->height, fps, &r->film, error);
    if (result != FIRN_OK) {
        if (!path) unlink(r->path);  // the empty file that reserved the name
        free(r->path);
        r->path = NULL;
    }
    s->recording = result == FIRN_OK;
    return result;
}

firn_result view_record_add(view_record* r, view_session* s, view_renderer* renderer,
                            firn_error* error)
{
    if (!r->film) return FIRN_OK;
    if (s->width != r->width || s->height != r->height) return view_record_end(r, s, error);
    const int64_t due = (int64_t)((s->clock - r->begin) * r->fps + 1e-6) + 1;
    if (r->pictures >= due) return FIRN_OK;
    const uint8_t* pixels = view_renderer_read(renderer, s);
    if (!pixels) return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory for a picture");
    firn_result result = FIRN_OK;
    for (; r->pictures < due && result == FIRN_OK; r->pictures++)
        result = firn_recording_add(r->film, pixels, error);
    return result;
}

firn_result view_record_end(view_record* r, view_session* s, firn_error* error)
{
    if (!r->film) return FIRN_OK;
    const firn_result result = firn_recording_end(r->film, error);
    r->film = NULL;
    s->recording = false;
    if (result == FIRN_OK) view_session_show_message(s, "film: %s", r->path);
    free(r->path);
    r->path = NULL;
    return result;
}
