// SPDX-License-Identifier: MIT
// What the window shows: a live simulation or the frames of a run, behind one interface.
//
//     window's thread                                    worker thread
//     latest() ◄── newest snapshot ◄── triple buffer ◄── simulates or reads, then copies
//     play(), pull(), colour() … ──► requests, locked ──► handled between two chunks of time
//
// With `lockstep` there is no worker thread: advance() does the work synchronously, so that
// headless pictures and films do not depend on the machine's speed.
#pragma once
#include <stdio.h>
#include <string.h>

#include "firn/firn.h"
#include "viewer/input/follow.h"
#include "viewer/source/snapshot.h"

typedef struct view_source view_source;

typedef struct view_source_ops {
    // Newest snapshot; borrowed until the next call. Never null.
    const view_snapshot* (*latest)(view_source* source);
    // Lockstep: advances by `seconds` of session time, if playing.
    void (*advance)(view_source* source, double seconds);
    void (*play)(view_source* source, bool playing, double speed);
    void (*step)(view_source* source, int by);  // replay: frames; live: steps, `by` > 0
    void (*restart)(view_source* source);
    void (*colour)(view_source* source, const char* field);  // "": none
    // Initial triangles of a collider; null: none. Borrowed until destroy.
    const firn_body_mesh* (*mesh)(view_source* source, int collider);
    void (*pick)(view_source* source, int64_t id);  // follow this particle; < 0: none
    void (*measure)(view_source* source, bool on);  // count fragments
    // The scene as YAML, once after describe() was called or the scene has changed; null: nothing
    // new. Free it with free().
    void (*describe)(view_source* source);
    char* (*take_description)(view_source* source);
    // The error, if any. A live source stays failed until restart(); a replay reports an unreadable
    // frame once.
    bool (*failed)(view_source* source, firn_error* out_error);
    void (*destroy)(view_source* source);

    // Replay only; null in a live source.
    void (*seek)(view_source* source, int64_t frame);  // to the last frame up to this one
    // All frame numbers, ascending, at least one; borrowed until the next call.
    int (*frames)(view_source* source, const int64_t** out_frames);

    // Live only; null in a replay. place() teleports a collider.
    void (*place)(view_source* source, int collider, view_vec at, double yaw, double scale);
    void (*pull)(view_source* source, int collider, const view_pull* pull);
    void (*release)(view_source* source,
                    int collider);  // dynamic colliders fall again, others stay
    void (*set_temperature)(view_source* source, double celsius);
    void (*set_gravity)(view_source* source, const double gravity[3]);  // [m/s^2]
    void (*set_wind)(view_source* source, const double wind[3]);        // [m/s]
    // Sets a key of the scene with the next restart().
    void (*change)(view_source* source, const char* key, const char* value);
    // Why a request was refused, once. False: none was.
    bool (*refused)(view_source* source, char* out_text, size_t size);
} view_source_ops;

#define VIEW_FIELDS_MAX 48
#define VIEW_CHANGES_MAX 32

// A key of the scene with a new value.
typedef struct view_change {
    char key[96], value[64];
} view_change;

struct view_source {
    const view_source_ops* ops;
    bool is_live;
    char name[128], solver[32], backend[32];
    firn_view_info view;
    int ball, plow;                    // colliders added by the viewer; -1: none
    char fields[VIEW_FIELDS_MAX][32];  // available for colouring
    int field_count;
};

static inline bool view_source_has_field(const view_source* source, const char* field)
{
    for (int k = 0; k < source->field_count; k++)
        if (strcmp(source->fields[k], field) == 0) return true;
    return false;
}

static inline void view_source_add_field(view_source* source, const char* field)
{
    if (source->field_count == VIEW_FIELDS_MAX || view_source_has_field(source, field)) return;
    snprintf(source->fields[source->field_count++], sizeof source->fields[0], "%s", field);
}

// Sets `error` and returns `result`.
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
