// SPDX-License-Identifier: MIT
// Snapshot of a simulation or of a frame, copied so that it can be drawn while the next one is
// computed or read: particles as floats, the values they are coloured by, and the colliders.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "viewer/source/particle.h"
#include "viewer/source/reader.h"

typedef struct view_collider_state {
    firn_body_info info;
    firn_body_mesh mesh;  // owned; current triangles of a deforming collider
} view_collider_state;

// Zero-initialised: empty. Free with view_snapshot_free.
typedef struct view_snapshot {
    int64_t count, room;   // particles; capacity of the arrays
    float (*position)[3];  // [count] [m]; owned, like the arrays below
    float* radius;         // [count] [m]
    float* value;          // [count] of the field they are coloured by
    uint8_t* phase;        // [count] 0 snow, 1 ice, 2 water, 3 chocolate, 4 soft ice
    uint32_t* id;          // [count]
    bool has_radius, has_value, has_phase, has_id;
    double low[3], high[3];          // [m] bounds of the snow, without outliers
    double value_low, value_high;    // range of the values, without outliers
    char value_name[32], unit[16];   // of the field in `value`; "": none
    view_collider_state* colliders;  // [collider_count]
    int collider_count;
    double time;          // [s]
    int64_t frame, step;  // frame: of a replay
    double temperature;   // [degC] of the air; NaN: none
    double step_seconds;  // wall time of a step; 0: unknown
    double steps_per_second;
    double real_time;                    // simulated seconds per wall second; 0: unknown
    double kinetic, elastic, potential;  // [J] of a simulation
    int iterations;                      // of its last solve
    double dt;                           // [s] of its last step
    double gravity[3], wind[3];          // [m/s^2], [m/s]
    bool has_wind;                       // the solver has one
    int64_t fragments;                   // < 0: not counted
    view_particle picked;
    uint64_t version;  // changes with every copy, unique among the snapshots of a source
} view_snapshot;

// What a snapshot contains besides particles and colliders.
typedef struct view_wants {
    char field[32];  // to colour by; "": none; "density" is computed if the solver has none
    int64_t picked;  // id of the particle whose fields are copied; < 0: none
    double voxel;    // [m] for counting fragments; 0: do not count
} view_wants;

// Copies fields and colliders. Missing fields are skipped. < 0: out of memory, or the simulation is
// broken; the snapshot then has no particles. The caller sets time, steps, energies and version.
firn_result view_snapshot_copy(view_snapshot* snapshot, const view_reader* reader,
                               const view_wants* wants);
// Whether `field` is available for colouring.
bool view_snapshot_has_field(const view_reader* reader, const char* field);
void view_snapshot_free(view_snapshot* snapshot);
uint64_t view_snapshot_bytes(const view_snapshot* snapshot);
