// SPDX-License-Identifier: MIT
// Frames and checkpoints: HDF5 files. A frame is VTKHDF, which ParaView opens; a checkpoint holds
// every field of the solver bit for bit and all other state that the next step depends on.
// Both are written to a temporary name, flushed and renamed, so that a file is always complete.
#pragma once
#include "core/result.h"
#include "firn/play.h"
#include "state/field_table.h"
#include "state/field_values.h"
#include "state/particle_rows.h"

// Frames and steps are counted up to here: doubles still tell them apart.
#define FIRN_FRAME_NUMBER_MAX 9007199254740992.0

typedef struct firn_frame_info {
    int64_t frame, step;
    double time;       // [s]
    double fps, cell;  // [1/s], [m]
    uint64_t scene_hash;
    uint64_t state_hash;  // checkpoints: hash of the particles
    char scene[128], solver[32];
    int real_bytes;  // 4 or 8: precision of the build that wrote it
} firn_frame_info;

// A collider that the scene does not drive: the scene cannot tell where it is, so frames do.
typedef struct firn_frame_body {
    firn_local body;          // index in the scene's colliders
    firn_body_driver driver;  // not FIRN_BODY_SCENE
    firn_body_pose pose;      // at the frame's time
} firn_frame_body;

// A frame: one array per field of the list in state/field_table.h, null where the frame lacks it.
// Fields can be reached by index and by name: fields[FIRN_FRAME_MASS] is `mass`.
#define FIRN_FRAME_MEMBER(index, name, key, type, ...) FIRN_C_##type* name;
#define FIRN_C_REAL firn_real
#define FIRN_C_VEC3 firn_vec3
#define FIRN_C_MAT3 firn_mat3
#define FIRN_C_U8 uint8_t
#define FIRN_C_U32 uint32_t
typedef struct firn_frame {
    firn_frame_info info;
    firn_local count;
    union {
        void* fields[FIRN_FRAME_FIELD_COUNT];  // [count] of the field's type
        struct {
            FIRN_FRAME_FIELDS(FIRN_FRAME_MEMBER)
        };
    };
    firn_frame_body* bodies;  // ascending
    firn_local body_count;
    // Fields without an array are read from `rows` while the frame is written. Null: there are
    // none.
    const firn_particle_rows* rows;         // borrowed
    int row_field[FIRN_FRAME_FIELD_COUNT];  // index in the rows' list; FIRN_ROWS_NONE
} firn_frame;

// Number of particles of snow: points of powder come behind them.
static inline firn_local firn_frame_snow_count(const firn_frame* frame)
{
    firn_local count = frame->count;
    while (frame->powder != NULL && count > 0 && frame->powder[count - 1] == 1) count--;
    return count;
}

// The same frame without its powder; arrays are borrowed.
static inline firn_frame firn_frame_snow(const firn_frame* frame)
{
    firn_frame snow = *frame;
    snow.count = firn_frame_snow_count(frame);
    return snow;
}

// Arrays are borrowed. Real numbers are written as float32; positions must be there.
// FIRN_REFUSED_ARGUMENT: a compression level out of range, no positions, or a pose that is not
// finite, has no valid rotation or is out of order.
firn_result firn_frame_write(const char* path, const firn_frame* frame, int compression,
                             firn_error* error);
// The arrays of `out_frame` are owned; free them with firn_frame_destroy.
// The seal of the file (size and checksum, hdf5/seal.h) is verified first; structure and counts are
// checked before memory is allocated.
firn_result firn_frame_read(const char* path, firn_frame* out_frame, firn_error* error);
// Reads only the header and the number of particles.
firn_result firn_frame_read_info(const char* path, firn_frame_info* out_info, firn_local* out_count,
                                 firn_error* error);
void firn_frame_destroy(firn_frame* frame);

// `rows`: where the particles are, if not in the arrays of `particles`; null: there.
firn_result firn_checkpoint_write(const char* path, const firn_frame_info* info,
                                  const firn_particles* particles, const firn_particle_rows* rows,
                                  const void* extra, size_t extra_size, firn_error* error);
// Reads only the header, to check scene, solver and precision before restoring.
firn_result firn_checkpoint_read_info(const char* path, firn_frame_info* out_info,
                                      firn_local* out_count, size_t* out_extra_size,
                                      firn_error* error);
// Reads the fields of `particles` by name; each must be in the file with its type and have valid
// values (state/field_values.h; ids are unique). Grows `particles` as needed. A refusal before the
// first array leaves `particles` unchanged; after it, their count is 0.
firn_result firn_checkpoint_read(const char* path, const firn_value_limits* limits,
                                 firn_particles* particles, void* extra, size_t extra_size,
                                 firn_error* error);

// Where a checkpoint's particles go that are not to be in this process: rows of one field after the
// other, in order.
typedef struct firn_particle_sink {
    void* self;  // borrowed
    firn_result (*begin)(void* self, firn_local count, firn_error* error);
    firn_result (*put)(void* self, int field, firn_local first, firn_local rows, const void* data,
                       firn_error* error);
} firn_particle_sink;
// The same as firn_checkpoint_read, in runs of rows. `list` has the fields. The checks of the whole
// come last: after a refusal the sink must not be used.
firn_result firn_checkpoint_read_rows(const char* path, const firn_value_limits* limits,
                                      const firn_particles* list, const firn_particle_sink* sink,
                                      void* extra, size_t extra_size, firn_error* error);
