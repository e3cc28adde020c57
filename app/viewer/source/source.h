// SPDX-License-Identifier: MIT
// What the window shows: a simulation that runs, or the frames of a run. One interface for both.
//
//     window's thread                                worker
//     take() ──── newest snapshot ◄── exchange ◄──── computes or reads, copies
//     play(), pull(), colour() … ──► wishes, under a lock ──► looked at between two chunks
//
// With `lockstep` there is no worker: advance() does the work and returns when it is done, so that
// pictures and films without a window do not depend on how fast the machine is.
#pragma once
#include <stdio.h>
#include <string.h>

#include "firn/firn.h"
#include "firn/play.h"
#include "viewer/input/follow.h"
#include "viewer/source/snapshot.h"

typedef struct view_source view_source;

typedef struct view_source_ops {
    // Newest moment; borrowed until the next call. Never null.
    const view_snapshot* (*take)(view_source* source);
    // Lockstep: goes on by so many seconds of the screen's time, if it plays.
    void (*advance)(view_source* source, double seconds);
    void (*play)(view_source* source, bool playing, double speed);
    void (*step)(view_source* source, int by);  // replay: frames; live: steps, `by` > 0
    void (*restart)(view_source* source);
    void (*colour)(view_source* source, const char* field);  // "": none
    // Triangles of a body at the start; null: it has none. Borrowed until destroy.
    const firn_body_mesh* (*mesh)(view_source* source, int body);
    // What stopped it; false: nothing did. A live one runs again after restart(), a replay tells of
    // a frame that cannot be read once.
    bool (*failed)(view_source* source, firn_error* out_error);
    void (*destroy)(view_source* source);

    // Of a replay; null in a live source.
    void (*seek)(view_source* source, int64_t frame);  // the last that there is up to it
    // Ascending, at least one; borrowed until the next call.
    int (*frames)(view_source* source, const int64_t** out_frames);

    // Of a live source; null in a replay. A body that is placed jumps there.
    void (*place)(view_source* source, int body, view_vec at, double yaw, double scale);
    void (*pull)(view_source* source, int body, const view_pull* pull);
    void (*let_go)(view_source* source, int body);  // free bodies fall again, others stay
    void (*heat)(view_source* source, double celsius);
} view_source_ops;

#define VIEW_FIELDS_MAX 48

struct view_source {
    const view_source_ops* ops;
    bool is_live;
    char name[128], solver[32], backend[32];
    firn_view_info view;
    int ball, plow;                    // bodies that the viewer brought; -1: none
    char fields[VIEW_FIELDS_MAX][32];  // that there were at the start and can be coloured by
    int field_count;
};

static inline bool view_source_knows(const view_source* source, const char* field)
{
    for (int k = 0; k < source->field_count; k++)
        if (strcmp(source->fields[k], field) == 0) return true;
    return false;
}

static inline void view_source_note_field(view_source* source, const char* field)
{
    if (source->field_count == VIEW_FIELDS_MAX || view_source_knows(source, field)) return;
    snprintf(source->fields[source->field_count++], sizeof source->fields[0], "%s", field);
}

// For a source that cannot be made.
static inline firn_result view_refuse(firn_error* error, firn_result result, const char* text)
{
    error->code = result;
    snprintf(error->text, sizeof error->text, "%s", text);
    return result;
}

typedef struct view_live_def {
    firn_scene* scene;  // borrowed until destroy; the tools are added to it
    const char* backend;
    int threads;
    bool lockstep;
} view_live_def;
firn_result view_source_live(const view_live_def* def, view_source** out_source,
                             firn_error* out_error);
firn_result view_source_replay(const char* dir, bool lockstep, view_source** out_source,
                               firn_error* out_error);
