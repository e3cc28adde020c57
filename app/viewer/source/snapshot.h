// SPDX-License-Identifier: MIT
// A moment of a simulation or of a run, copied so that it can be drawn while the next one is being
// computed or read: particles as floats, the values they are coloured by, and the bodies.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "firn/play.h"
#include "firn/types.h"

// Where a snapshot is copied from: a simulation or a replay, behind the same functions.
typedef struct view_reader {
    void* object;
    firn_result (*field)(void* object, const char* name, firn_field_view* out_view);
    int (*body_count)(void* object);
    firn_result (*body)(void* object, int body, firn_body_info* out_info);
    firn_result (*mesh)(void* object, int body, firn_body_mesh* out_mesh, firn_error* out_error);
} view_reader;

typedef struct view_body_moment {
    firn_body_info info;
    firn_body_mesh mesh;  // owned; of a body that deforms only, as it is at this moment
} view_body_moment;

// Zero is an empty one; give it back with view_snapshot_free.
typedef struct view_snapshot {
    int64_t count, room;   // particles: there are, fit into the arrays
    float (*position)[3];  // [count] [m]; owned, as the arrays below
    float* radius;         // [count] [m]
    float* value;          // [count] what they are coloured by
    uint8_t* phase;        // [count] 0 snow, 1 ice, 2 water
    bool has_radius, has_value, has_phase;
    double low[3], high[3];         // [m] box of the snow, without what has flown far away
    double value_low, value_high;   // of the values, without stray ones
    char value_name[32], unit[16];  // of the field that `value` is; "": none
    view_body_moment* bodies;       // [body_count]
    int body_count;
    double time;          // [s]
    int64_t frame, step;  // frame: of a replay
    double temperature;   // [degC] of the air; NaN: there is none
    double step_seconds;  // wall clock of a step; 0: not known
    double steps_per_second;
    double real_time;  // simulated seconds in a second, while it runs as fast as asked; 0: unknown
    uint64_t version;  // another one after every copy, over all snapshots of a source
} view_snapshot;

// Copies fields and bodies; `field` is what to colour by ("": nothing; "density" is computed where
// it is not kept). What the object lacks is left out. < 0: memory is out, or the object is broken;
// `snapshot` is then empty of particles. Time, steps and version are the caller's to fill in.
firn_result view_snapshot_copy(view_snapshot* snapshot, const view_reader* reader,
                               const char* field);
// Whether `field` can be coloured by.
bool view_snapshot_knows(const view_reader* reader, const char* field);
void view_snapshot_free(view_snapshot* snapshot);
uint64_t view_snapshot_bytes(const view_snapshot* snapshot);
