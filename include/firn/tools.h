// SPDX-License-Identifier: MIT
// Tools beside the simulator: benchmarks, recordings, suggestions. Not in the core.
#pragma once
#include "firn/defs.h"
#include "firn/error.h"
#include "firn/export.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- benchmarks: how fast this machine simulates and renders -----------------------------------

// Options of benchmarks.
typedef struct firn_bench_def {
    uint32_t cookie, bytes;  // set by the default function; do not change
    const char* solver;      // "mpm"; or "sph" (CPU only), "grains"
    int64_t particles;       // 300000; approximate number, for firn_bench_scale the maximum. On a
                             // device 0 means 1e6, 4.1e6 and 1.6e7
    int steps;            // 16; measured steps per repeat. mpm sorts its particles every 16 steps
    int repeats;          // 3; the fastest counts
    int threads;          // 0: all cores; measured in addition to one thread
    const char* simd;     // null: best of the machine
    const char* backend;  // "cpu"; or the device to measure
    bool memory;          // false; true: measure memory on a device with 6e7 particles (or
                          // `particles`)
    firn_log_fn log;
    void* user;
} firn_bench_def;
static inline firn_bench_def firn_default_bench_def(void)
{
    firn_bench_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_BENCH), sizeof def);
    return def;
}

#define FIRN_BENCH_SCALE_REFERENCE 300000  // reference number of particles
// One measurement. Strings are static unless they are arrays.
typedef struct firn_bench_row {
    char name[48];     // "explicit, early contact", "semi-implicit", "one ball", "snow"
    char backend[32];  // "cpu", "cuda:0"
    int threads;
    int balls;  // number of balls of snow
    int64_t particles;
    int64_t nodes;                      // active grid nodes
    double seconds_per_step;            // wall-clock time, of the fastest repeat
    double steps_per_second;            // particle-steps per second, all threads together
    double steps_per_second_core;       // the same per core
    double iterations;                  // mean per step; sph: of the pressure solve
    double shear_iterations;            // the same of sph's shear solve; 0: none
    double neighbours;                  // mean per particle; 0: not counted
    double iterations_per_second;       // particle-iterations per second of the whole step
    double iterations_per_second_core;  // the same per core and second of the solve
    double yielding;                    // lower bound of the fraction of particles that yield
    double flops_per_particle;          // minimum operations per step
    double bytes_moved_per_particle;    // minimum memory traffic per step
    double bytes_per_particle;          // memory of the simulation / particles
    double device_bytes_per_particle;   // the same for device memory; 0 on the CPU
    uint64_t peak_bytes;                // of the library so far
    uint64_t device_bytes;              // device memory of the simulation
    int stage_count;
    const char* const* stage_names;
    const char* left_out;  // stage whose time is excluded from this row; null: none
    const double*
        stage_seconds;  // [stage_count] per step, of the fastest repeat; freed with the row
    double waiting;  // share of its threads' time in which they had no work, in the fastest repeat
    // of firn_bench_table only
    const char* solver;  // "mpm", "sph", "grains"; "path": the path tracer
    double rate;         // per second, all threads together
    const char* unit;    // of the rate: "particle-steps", "iterations", "paths"
    double efficiency;   // rate / (threads * rate of one thread)
} firn_bench_row;
FIRN_API firn_result firn_bench_sized(const firn_bench_def* def, uint32_t size,
                                      firn_bench_row** out_rows, int* out_count,
                                      firn_error* out_error);
// Measure def->solver on one thread and on all threads or, if def->backend is a device, on that in
// several sizes. out_rows: [out_count], free with firn_bench_free. FIRN_REFUSED_NAME: there is no
// benchmark of that solver.
static inline firn_result firn_bench(const firn_bench_def* def, firn_bench_row** out_rows,
                                     int* out_count, firn_error* out_error)
{
    return firn_bench_sized(def, sizeof **out_rows, out_rows, out_count, out_error);
}
FIRN_API firn_result firn_bench_scale_sized(const firn_bench_def* def, uint32_t size,
                                            firn_bench_row** out_rows, int* out_count,
                                            firn_error* out_error);
// Measure how the cost per particle scales: one ball of 3e4, 1e5, 3e5, 1e6 and 5e6 particles, up to
// def->particles, and a hundred scattered balls, on one thread and on all. FIRN_REFUSED_ARGUMENT:
// fewer than 1000 particles.
static inline firn_result firn_bench_scale(const firn_bench_def* def, firn_bench_row** out_rows,
                                           int* out_count, firn_error* out_error)
{
    return firn_bench_scale_sized(def, sizeof **out_rows, out_rows, out_count, out_error);
}
FIRN_API firn_result firn_bench_table_sized(const firn_bench_def* def, uint32_t size,
                                            firn_bench_row** out_rows, int* out_count,
                                            firn_error* out_error);
// Measure how rates grow with threads: all solvers and the path tracer, or def->solver ("mpm",
// "sph", "grains" or "path") alone if it is not null, on 1, 2, 4, … threads up to def->threads.
// Particles 0: sizes of the table's own, of 8e3 to 1e6; steps 0: as many as make a repeat long
// enough, for "path" samples per pixel.
static inline firn_result firn_bench_table(const firn_bench_def* def, firn_bench_row** out_rows,
                                           int* out_count, firn_error* out_error)
{
    return firn_bench_table_sized(def, sizeof **out_rows, out_rows, out_count, out_error);
}
FIRN_API void firn_bench_free(firn_bench_row* rows);  // null is allowed

// Peak rates of the machine.
typedef struct firn_machine {
    const char* simd;   // static; SIMD level of flops_core
    int threads;        // of copy_all
    double clock_hz;    // of a busy core
    double flops_core;  // operations on reals per second and core; a fused multiply-add is two
    double copy_one;    // [bytes/s] read and written by one thread that copies memory
    double copy_all;    // [bytes/s] by all threads together
} firn_machine;
FIRN_API firn_result firn_bench_machine_sized(const firn_bench_def* def, firn_machine* out_machine,
                                              uint32_t size, firn_error* out_error);
// Measure the peak rates of the machine with the threads and SIMD level of the def.
// FIRN_REFUSED_BACKEND: the machine does not support that level.
static inline firn_result firn_bench_machine(const firn_bench_def* def, firn_machine* out_machine,
                                             firn_error* out_error)
{
    return firn_bench_machine_sized(def, out_machine, sizeof *out_machine, out_error);
}

// One measurement of the path tracer.
typedef struct firn_bench_picture_row {
    char name[48];  // "snowball", "without the sun", "without the floor", "256 paths a pixel"
    int threads;    // 1 on a GPU, whose rates are those of all of it
    int64_t particles;
    double paths_per_second_core;
    double events_per_second_core;   // scattering events in the snow
    double lookups_per_second_core;  // density lookups, including those of shadow rays
    double bodies_per_second_core;   // rays traced against colliders
    double events_per_path;
    double noise;               // relative standard error, rms over pixels
    double seconds_build;       // before the first path
    double seconds_to_percent;  // until the noise is 1 %, on all threads
    double waiting;             // share of its threads' time in which they had no work
    char backend[32];           // "cpu", "cuda:0"
    int width, height;          // [pixels]
    int64_t samples;            // paths per pixel
    double seconds_picture;     // of the fastest repeat, from particles to pixels
} firn_bench_picture_row;
FIRN_API firn_result firn_bench_pictures_sized(const firn_bench_def* def, uint32_t size,
                                               firn_bench_picture_row** out_rows, int* out_count,
                                               firn_error* out_error);
// Measure the path tracer on a snowball, on all threads or, if def->backend is a GPU, on that in
// pictures of 1920 x 1080; `steps` of the def are samples per pixel. out_rows: [out_count], free
// with firn_bench_pictures_free.
static inline firn_result firn_bench_pictures(const firn_bench_def* def,
                                              firn_bench_picture_row** out_rows, int* out_count,
                                              firn_error* out_error)
{
    return firn_bench_pictures_sized(def, sizeof **out_rows, out_rows, out_count, out_error);
}
FIRN_API void firn_bench_pictures_free(firn_bench_picture_row* rows);

// ---- films ------------------------------------------------------------------------------------

// Records images to an .mp4 file with the ffmpeg program.
typedef struct firn_recording firn_recording;
// Start a recording. The file appears when it ends. FIRN_REFUSED_BACKEND: ffmpeg is not installed.
FIRN_API firn_result firn_recording_begin(const char* path, int width, int height, double fps,
                                          firn_recording** out_recording, firn_error* out_error);
// Add an image. pixels: [height][width][3], sRGB red, green, blue, top row first; copied. After a
// refusal the recording can only be ended.
FIRN_API firn_result firn_recording_add(firn_recording* recording, const uint8_t* pixels,
                                        firn_error* out_error);
// End the recording, write the file and free the recording in any case. Without an image there is
// no file.
FIRN_API firn_result firn_recording_end(firn_recording* recording, firn_error* out_error);
// Free the recording without writing a file. Null is allowed.
FIRN_API void firn_recording_abandon(firn_recording* recording);

// ---- pictures and differences ------------------------------------------------------------------

// Save a picture as PNG. pixels: [height][width][3], sRGB red, green, blue, top row first. The file
// is replaced as a whole. FIRN_REFUSED_ARGUMENT: a side is below 1 or above 32768.
FIRN_API firn_result firn_picture_save(const char* path, int width, int height,
                                       const uint8_t* pixels, firn_error* out_error);
// List the keys in which two scenes differ, as their YAML has them (firn_scene_yaml): a line "key,
// tab, value in `yaml`, tab, value in `other`" for each, "-" for a key that one does not have; ""
// if there is none. Free it with firn_text_free. FIRN_REFUSED_SCENE: one is not YAML.
FIRN_API firn_result firn_yaml_differences(const char* yaml, const char* other, char** out_text,
                                           firn_error* out_error);

// ---- suggestions -------------------------------------------------------------------------------

// Find the name nearest to a misspelt one, for "did you mean ...?". Borrowed from `names`; or null.
FIRN_API const char* firn_suggest(const char* word, const char* const* names, size_t count);

#ifdef __cplusplus
}
#endif
