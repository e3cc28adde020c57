// SPDX-License-Identifier: MIT
// The powder of a simulation (physics/powder.h): its points, how they are shed and how they move.
//
// Powder has its own clock. A tick covers all steps since the last one: at its end, points that
// exist fly for that time, then snow sheds new ones by how far J_P has changed meanwhile. Ticks are
// at the ends of steps of the snow, at least `powder.tick` apart, and at each frame. Nothing of it
// acts on the snow. design/0030.
#pragma once
#include "physics/powder.h"
#include "state/particles.h"
#include "state/snapshot.h"

typedef struct firn_solver_base firn_solver_base;    // base.h
typedef struct firn_powder_block firn_powder_block;  // scene/data/scene.h

// What is carried from tick to tick, beside the points.
typedef struct firn_powder_clock {
    double time;            // [s] of the last tick
    int64_t shed, dropped;  // points so far; dropped: because there were too many
    int64_t moved;          // points times ticks so far: the work done
    uint32_t next_id;
    firn_local count;  // points
} firn_powder_clock;

typedef struct firn_powder {
    firn_particles store;  // its fields are the arrays below, in that order
    firn_vec3 *position, *velocity;
    firn_real *age, *life;  // [s]
    firn_real* mass;        // [kg] that a new point is drawn with
    uint8_t* material;
    uint32_t* id;  // FIRN_POWDER_ID or more
    firn_powder_clock clock;

    firn_snapshot snapshot;
    firn_powder_clock snapshot_clock;
    int64_t* chunk;    // owned scratch [chunk_capacity]: new points of a chunk of snow
    firn_local* kept;  // owned scratch [kept_capacity]
    firn_local chunk_capacity, kept_capacity;
    bool full;  // a warning was written
} firn_powder;

// Ids of points begin here, so that they differ from those of snow.
#define FIRN_POWDER_ID 0x80000000u

// Snow that may shed; arrays [count]. `broken_share` and `broken_det` are the powder's own: the
// share of the mass that has broken so far, and J_P at the last tick.
typedef struct firn_powder_snow {
    const firn_vec3 *position, *velocity;
    const firn_real *mass, *plastic_det;
    const uint8_t* material;
    const uint32_t* id;
    firn_real *broken_share, *broken_det;
    firn_local count;
    // Share of particle p's surface that is open to the air.
    firn_real (*open)(const void* self, firn_local p);
    const void* self;   // its first argument
    firn_real spacing;  // [m] edge of the cube that a particle fills
} firn_powder_snow;

// Null: out of memory.
firn_powder* firn_powder_create(void);
void firn_powder_destroy(firn_powder* powder);  // null is fine
// At the end of a step of `base`. FIRN_BROKEN_MEMORY.
firn_result firn_powder_step(firn_powder* powder, firn_solver_base* base,
                             const firn_powder_snow* snow, firn_error* error);

// The same where a device has shed the points of a tick that ends with the step
// (cuda/mpm_powder.cu): [count] of them, in their order, and `lost` more, which did not fit.
firn_result firn_powder_take(firn_powder* powder, firn_solver_base* base,
                             const firn_powder_birth* born, firn_local count, int64_t lost,
                             firn_error* error);

// The block's constants of the law.
firn_powder_law firn_powder_law_of(const firn_powder_block* block);
// powder_shed.c: what the snow sheds in the tick of length `dt` that ends at `time` [s].
// FIRN_BROKEN_MEMORY.
firn_result firn_powder_shed(firn_powder* powder, const firn_solver_base* base,
                             const firn_powder_snow* snow, double time, double dt);
// The points that a device has shed, as in firn_powder_take.
firn_result firn_powder_append(firn_powder* powder, const firn_solver_base* base,
                               const firn_powder_birth* born, firn_local count, int64_t lost);
// The arrays' pointers again, after the store has changed.
void firn_powder_point_to(firn_powder* powder);
// True for points that are drawn no longer, or are lost.
bool firn_powder_is_over(const firn_powder* powder, firn_local point);

// Snapshots for rollbacks. FIRN_BROKEN_MEMORY.
firn_result firn_powder_snapshot_take(firn_powder* powder);
firn_result firn_powder_snapshot_restore(firn_powder* powder);

// State in checkpoints: clock and points. Its size changes from tick to tick.
size_t firn_powder_size(const firn_powder* powder);
void firn_powder_save(const firn_powder* powder, void* block);
// FIRN_REFUSED_DAMAGED: nothing has changed.
firn_result firn_powder_restore(firn_powder* powder, const firn_powder_block* block_of_scene,
                                firn_local material_count, const void* block, size_t size,
                                firn_error* error);
// Of all points and the clock.
uint64_t firn_powder_hash(const firn_powder* powder);
// [bytes] that a point takes, snapshot included.
size_t firn_powder_bytes_each(void);
