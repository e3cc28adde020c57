// SPDX-License-Identifier: MIT
// Runs on disk: a folder with the frames, checkpoints and pictures of a simulation. Not in the
// core.
#pragma once
#include "firn/play.h"
#include "firn/query.h"
#include "firn/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// Cancellation callback, called often. Return true to stop as soon as all files are consistent.
typedef bool (*firn_cancel_fn)(void* user);

// ---- start from another run --------------------------------------------------------------------

// Let a scene start from frame `frame` of the run in `dir`: its particles take the place of the
// scene's snow, with positions, velocities, masses and, where the frame has these fields,
// stiffness, packing and elastic deformation; time begins at the frame's. Materials are matched by
// name. The particles are written to `folder`/start as point files, which the scene names from then
// on: `folder` is that of the run to come. Call it before firn_sim_create. What is not taken over
// is a warning (firn_scene_messages). FIRN_REFUSED_ARGUMENT: the frame lacks a field that is
// needed; FIRN_REFUSED_NAME: there is no such frame; FIRN_REFUSED_SCENE: a material is missing, or
// the scene has no frame at that time.
FIRN_API firn_result firn_scene_start_from(firn_scene* scene, const char* dir, int64_t frame,
                                           const char* folder);

// ---- write and summarise a run -----------------------------------------------------------------

// Advance to the last frame and write all frames to output_dir.
FIRN_API firn_result firn_sim_run(firn_sim* sim);
// The same, to the last bit of each file, but frames are written while the next ones are computed,
// where that saves time: on a GPU, or with at least four threads. Frames are still reported
// (frame_done) when they are on disk: the simulation is then some steps ahead of them. The progress
// callback may read the simulation, but not change it. Up to half the memory that this process, or
// memory_cap_bytes, allows is used for copies of frames.
FIRN_API firn_result firn_sim_run_overlapped(firn_sim* sim);

// Summary of the folder of a run.
typedef struct firn_cache_info {
    char scene[128];
    char solver[32];
    int64_t frame_first, frame_last, frame_count;
    double fps, cell;
    int64_t particles;    // of the last frame
    int64_t culled;       // particles removed during the run
    int64_t checkpoint;   // frame of the newest valid checkpoint; -1: none
    int64_t damaged;      // frames or checkpoints with a wrong checksum
    uint64_t bytes;       // of all frames and checkpoints
    uint64_t state_hash;  // of the newest valid checkpoint; 0: none
    bool complete;        // the run reached its last frame
} firn_cache_info;
FIRN_API firn_result firn_cache_read_sized(const char* dir, bool verify, firn_cache_info* out_info,
                                           uint32_t size, firn_error* out_error);
// Get a summary of the folder of a run. `verify`: check the checksums of all files.
// FIRN_REFUSED_NAME: there is no run. FIRN_REFUSED_IO: the folder cannot be read.
static inline firn_result firn_cache_read(const char* dir, bool verify, firn_cache_info* out_info,
                                          firn_error* out_error)
{
    return firn_cache_read_sized(dir, verify, out_info, sizeof *out_info, out_error);
}
// Describe one file (frame, checkpoint, PLY) as lines of text. Free it with firn_text_free.
FIRN_API firn_result firn_file_describe(const char* path, char** out_text, firn_error* out_error);

// ---- export and measure ------------------------------------------------------------------------

// File formats of meshes.
typedef enum firn_mesh_format {
    FIRN_MESH_PLY,  // binary
    FIRN_MESH_OBJ,  // text; without velocities, temperatures and materials
    FIRN_MESH_GLB,  // binary glTF 2.0, Y up always
} firn_mesh_format;

// Options for exporting frames of a run to other formats.
typedef struct firn_export_def {
    uint32_t cookie, bytes;          // set by the default function; do not change
    const char* input_dir;           // a run's folder
    const char* output_dir;          // null: input_dir
    bool ply, vtp, vdb;              // false
    bool heights;                    // false; height fields: .png (16 bits), .r32 and .json
    bool z_up;                       // false; true: (x, y, z) -> (x, -z, y), for Blender
    int64_t frame_begin, frame_end;  // 0, -1 (the last)
    double voxel;  // [m] of volumes; 0: half the run's cell. Of meshes; 0: half a particle spacing
    int64_t samples;  // 512; of height fields along the longer side
    firn_log_fn log;
    firn_progress_fn progress;
    firn_cancel_fn cancelled;  // null: never; polled before every frame
    void* user;
    int64_t frame_step;            // 1; every frame_step-th frame from frame_begin on
    const int64_t* frames;         // null: the range above; ascending; borrowed for the call
    size_t frame_count;            // 0
    bool mesh;                     // false; a smooth closed surface of the snow
    firn_mesh_format mesh_format;  // FIRN_MESH_PLY
    bool sdf;                      // false; .vdb with the level set `surface` of the same surface
    bool colliders;                // false; one .glb file with all colliders and their motion
    bool usd;        // false; one .usda stage: volumes, points, colliders, camera, sun; implies vdb
    int64_t points;  // 20000; of a stage, per frame at most; 0: none
} firn_export_def;
static inline firn_export_def firn_default_export_def(void)
{
    firn_export_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_EXPORT), sizeof def);
    return def;
}
// Export frames of a run to other formats. FIRN_INTERRUPTED: cancelled between two frames.
FIRN_API firn_result firn_export(const firn_export_def* def, firn_error* out_error);

// Options for measuring the frames of a run. Snow is split into fragments: connected components of
// the voxels whose density is at least `threshold`.
typedef struct firn_measure_def {
    uint32_t cookie, bytes;          // set by the default function; do not change
    const char* input_dir;           // required; a run's folder
    int64_t frame_begin, frame_end;  // 0, -1 (the last)
    double voxel;                    // [m]       0: the run's cell
    double threshold;                // [kg/m^3]  100; a quarter of table 2's snow
    int64_t smallest;                // [voxels]  8; smaller fragments count as dust
    bool by_corners;                 // false: connect by faces; true: also by edges and corners
    bool use_region;                 // false; true: only particles in the box below
    double region_low[3], region_high[3];  // [m]
    int threads;                           // 0: all cores; results do not depend on it
    firn_progress_fn progress;             // null: none
    void* user;
    int64_t frame_step;     // 1; every frame_step-th frame from frame_begin on
    const int64_t* frames;  // null: the range above; ascending; borrowed for the call
    size_t frame_count;     // 0
} firn_measure_def;
static inline firn_measure_def firn_default_measure_def(void)
{
    firn_measure_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_MEASURE), sizeof def);
    return def;
}

// Force and torque of the snow on a collider, mean over a frame.
typedef struct firn_collider_mean {
    double force[3];   // [N]
    double torque[3];  // [N m] about the point that firn_body_load (play.h) says
} firn_collider_mean;

// Statistics of one frame. Values are NaN if the frame lacks a required field.
typedef struct firn_frame_measure {
    int64_t frame;
    double time;  // [s]
    int64_t particles;
    double mass;                        // [kg]
    double center[3], low[3], high[3];  // [m] centre of mass; bounding box of the particles
    double momentum[3];                 // [kg m/s]
    double kinetic;                     // [J]
    int64_t fragments;                  // number of fragments of at least def->smallest voxels
    double largest;                     // [kg] mass of the heaviest fragment
    double mean_mass;                   // [kg] mass-weighted mean mass of the fragments
    double dust;                        // fraction of the mass outside of these fragments
    double angular[3];   // [kg m^2/s] angular momentum of the particles about their centre of mass
    double spread;       // [m] mean horizontal distance from the centre of mass, by mass
    double temperature;  // [degC] mean, by mass
    double water;        // fraction of the mass that is water
    double force[3];     // [N] of the snow on all colliders, mean over the frame; NaN: not known
    int64_t colliders;   // in `loads`; 0: the run has no stats.csv with forces, or no colliders
    const firn_collider_mean* loads;  // [colliders]; freed with the rows
} firn_frame_measure;
FIRN_API firn_result firn_cache_measure_sized(const firn_measure_def* def, uint32_t size,
                                              firn_frame_measure** out_rows, int* out_count,
                                              firn_error* out_error);
// Measure frames of a run. out_rows: [out_count], free with firn_measure_free.
// FIRN_REFUSED_DAMAGED: a frame is damaged.
static inline firn_result firn_cache_measure(const firn_measure_def* def,
                                             firn_frame_measure** out_rows, int* out_count,
                                             firn_error* out_error)
{
    return firn_cache_measure_sized(def, sizeof **out_rows, out_rows, out_count, out_error);
}
FIRN_API void firn_measure_free(firn_frame_measure* rows);

// ---- trim --------------------------------------------------------------------------------------

// What of a run to keep. Frames and checkpoints that are not kept are removed.
typedef struct firn_trim_def {
    uint32_t cookie, bytes;          // set by the default function; do not change
    const char* dir;                 // required; a run's folder
    int64_t frame_begin, frame_end;  // 0, -1 (the last); frames to keep
    int64_t frame_step;              // 1; every frame_step-th of them
    const int64_t* frames;           // null: the range above; ascending; borrowed for the call
    size_t frame_count;              // 0
    const char* const* fields;       // null: all; fields to keep beside the position; borrowed
    size_t field_count;              // 0
    int compression;                 // -1 (as it is); 0 (none) to 9 (smallest): pack again
    int64_t checkpoints;             // -1 (all); the newest intact ones to keep
    bool without_resume;             // false; true: `checkpoints` may be 0
    bool dry_run;                    // false; true: only tell
    firn_log_fn log;
    firn_progress_fn progress;
    firn_cancel_fn cancelled;  // null: never; polled before every frame
    void* user;
} firn_trim_def;
static inline firn_trim_def firn_default_trim_def(void)
{
    firn_trim_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_TRIM), sizeof def);
    return def;
}

// What firn_cache_trim has done, or with dry_run would do.
typedef struct firn_trim_summary {
    int64_t frames, frames_kept;
    int64_t frames_rewritten;  // with fewer fields, or packed differently
    int64_t checkpoints, checkpoints_kept;
    int64_t damaged;        // frames that could not be read and are as they were
    uint64_t bytes_before;  // of all files that the manifest lists
    uint64_t bytes_after;   // dry_run: without what rewriting saves
} firn_trim_summary;
FIRN_API firn_result firn_cache_trim_sized(const firn_trim_def* def, firn_trim_summary* out_summary,
                                           uint32_t size, firn_error* out_error);
// Remove frames, fields and checkpoints of a run, with the files made from the frames (PLY, VTP,
// VDB; pictures and the film stay), and pack the others again. A frame is removed once its
// replacement was read back and listed: the run is whole at any moment, and a second call finishes
// one that was ended. `out_summary` may be null. FIRN_REFUSED_ARGUMENT: the run has no such field,
// or nothing would be left to resume from. FIRN_REFUSED_NAME: no such run or frames.
// FIRN_REFUSED_IO: a run is writing there. FIRN_REFUSED_DAMAGED: damaged frames were left as they
// are. FIRN_INTERRUPTED: cancelled between two frames.
static inline firn_result firn_cache_trim(const firn_trim_def* def, firn_trim_summary* out_summary,
                                          firn_error* out_error)
{
    return firn_cache_trim_sized(def, out_summary, sizeof *out_summary, out_error);
}

// ---- previews ----------------------------------------------------------------------------------

// Draw the current state as the preview of a run, from the scene's camera: snow and colliders lit
// by sun and sky, in a few tenths of a second. out_pixels: [height][width][3], sRGB red, green,
// blue, top row first; owned by the caller. On a GPU the particles are copied to the host first.
// FIRN_REFUSED_ARGUMENT: a side is below 1 or above 32768.
FIRN_API firn_result firn_sim_picture(const firn_sim* sim, int width, int height,
                                      uint8_t* out_pixels);

// ---- path tracing ------------------------------------------------------------------------------

// Progress of firn_render. The callback is called on the calling thread between passes, once per
// picture when its files are on disk, and about twice a second while waiting for a frame.
typedef struct firn_render_progress {
    int64_t frame;                // being rendered, or waited for
    int64_t done, wanted;         // pictures: finished (including existing ones), total
    int64_t passes, passes_max;   // samples per pixel of this picture: done, total
    double noise;                 // relative standard error of the pixels
    double picture_seconds;       // spent on this picture
    double picture_seconds_left;  // estimate; < 0: unknown
    double seconds_elapsed;       // of this call
    double seconds_left;          // estimate for all pictures; < 0: unknown
    bool waiting;                 // the run has not written the frame yet
    bool picture_done;            // its files are on disk
    const char* picture_path;     // borrowed; the PNG just written; null: none
} firn_render_progress;
typedef void (*firn_render_progress_fn)(void* user, const firn_render_progress* progress);

// Options for path-tracing the frames of a run. The run's scene defines the look: its block
// `render` and the surfaces of its colliders, and only these may be overridden.
typedef struct firn_render_def {
    uint32_t cookie, bytes;            // set by the default function; do not change
    const char* input_dir;             // required; a run's folder
    const char* output_dir;            // null: input_dir/pictures
    int64_t frame_begin, frame_end;    // 0, -1 (the last)
    int64_t frame_step;                // 1; every frame_step-th of them
    const int64_t* frames;             // null: the range above; ascending; borrowed for the call
    size_t frame_count;                // 0
    const char* const* overrides;      // "render.samples=256"; borrowed for the call
    size_t override_count;             // 0
    int threads;                       // 0: all cores
    bool resume;                       // false; true: keep existing pictures
    bool overwrite;                    // false; true: re-render existing frames
    bool follow;                       // false; true: wait for frames of a run in progress
    bool exr;                          // true: write linear radiance as .exr besides the .png
    bool film;                         // true: write an .mp4 if there are several pictures
    firn_log_fn log;                   // null: none
    firn_render_progress_fn progress;  // null: none
    firn_cancel_fn cancelled;          // null: never
    void* user;                        // passed to all three
    const char* backend;               // "cpu"; or a GPU: "cuda", "cuda:1"
    // null: the scene's camera; "NAME": one of render.cameras; "shot.glb" or "shot.glb:NAME": that
    // of a glTF file; "{eye: [2, 1, 2], look_at: [0, 0, 0], fov: 30}"
    const char* camera;
} firn_render_def;
static inline firn_render_def firn_default_render_def(void)
{
    firn_render_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_RENDER), sizeof def);
    return def;
}

// Summary of a call of firn_render.
typedef struct firn_render_summary {
    int64_t pictures;       // rendered by this call
    int64_t skipped;        // existing pictures (resume)
    int64_t damaged;        // frames that could not be read and were skipped
    int64_t paths, events;  // light paths; scattering events in the snow
    double seconds;         // wall-clock time of the call
    double trace_seconds;   // part of it spent on path tracing
    char first[4096];       // path of the first requested picture; "" for none
    char film[4096];        // "" for none
} firn_render_summary;
FIRN_API firn_result firn_render_sized(const firn_render_def* def, firn_render_summary* out_summary,
                                       uint32_t size, firn_error* out_error);
// Path-trace frames of a run: writes OUT/NAME.0001.png (for display) and .exr (linear radiance and
// other layers) per frame, then OUT/NAME.mp4. Files are written atomically; the PNG comes last and
// records the settings, so a picture is complete if its PNG exists. `out_summary` may be null; it
// is filled in any case. FIRN_REFUSED_ARGUMENT: the def is invalid, an override would change the
// simulation, pictures exist (without resume and overwrite), or they were rendered with other
// settings (with resume). FIRN_REFUSED_NAME: no such run, or it lacks some of the frames.
// FIRN_REFUSED_SCENE: the scene of the run or the value of an override is invalid.
// FIRN_REFUSED_BACKEND: the backend is not in this build or on this machine; nothing was rendered.
// FIRN_BROKEN_DEVICE, FIRN_BROKEN_MEMORY: the GPU failed, or its memory is too small; finished
// pictures are on disk, resume continues, on another backend too.
// FIRN_REFUSED_DAMAGED: damaged frames were skipped. FIRN_INTERRUPTED: cancelled; resume continues.
static inline firn_result firn_render(const firn_render_def* def, firn_render_summary* out_summary,
                                      firn_error* out_error)
{
    return firn_render_sized(def, out_summary, sizeof *out_summary, out_error);
}

// ---- replay of a run --------------------------------------------------------------------------

typedef struct firn_replay firn_replay;
// Open the folder of a run and read its first frame. Close it with firn_replay_close.
// FIRN_REFUSED_NAME: no such run, or it has no frames yet. FIRN_REFUSED_SCENE: the scene in the
// folder cannot be read.
FIRN_API firn_result firn_replay_open(const char* dir, firn_replay** out_replay,
                                      firn_error* out_error);
// Close a replay. Null is allowed.
FIRN_API void firn_replay_close(firn_replay* replay);
// Get the frames that exist now (the run may still be in progress), ascending; returns their
// number. Borrowed until the next call.
FIRN_API int firn_replay_frames(firn_replay* replay, const int64_t** out_frames);
// Read a frame. If refused, the current frame stays. FIRN_REFUSED_NAME: no such frame.
// FIRN_REFUSED_DAMAGED: its checksum is wrong.
FIRN_API firn_result firn_replay_seek(firn_replay* replay, int64_t frame, firn_error* out_error);
// Get the number of the current frame.
FIRN_API int64_t firn_replay_frame(const firn_replay* replay);
// Get the time of the current frame [s].
FIRN_API double firn_replay_time(const firn_replay* replay);
FIRN_API firn_result firn_replay_view_sized(const firn_replay* replay, firn_view_info* out_info,
                                            uint32_t size);
// Get the camera at the time of the current frame.
static inline firn_result firn_replay_view(const firn_replay* replay, firn_view_info* out_info)
{
    return firn_replay_view_sized(replay, out_info, sizeof *out_info);
}
// Get a field of the current frame by name; borrowed until the next seek.
FIRN_API firn_result firn_replay_field(const firn_replay* replay, const char* name,
                                       firn_field_view* out_view);
// Get the number of fields of the current frame.
FIRN_API int firn_replay_field_count(const firn_replay* replay);
// Get a field of the current frame by index; borrowed until the next seek.
FIRN_API firn_result firn_replay_field_at(const firn_replay* replay, int index,
                                          firn_field_view* out_view);
// Get the number of colliders.
FIRN_API int firn_replay_body_count(const firn_replay* replay);
// Get the id of a collider by its number, in the order of the scene's `colliders`. It is valid for
// this replay, not for a simulation. FIRN_REFUSED_ARGUMENT: there are not so many.
FIRN_API firn_result firn_replay_body_at(const firn_replay* replay, int index,
                                         firn_collider_id* out_id);
FIRN_API firn_result firn_replay_body_sized(const firn_replay* replay, firn_collider_id id,
                                            firn_body_info* out_info, uint32_t size);
// Get pose, extent and look of a collider in the current frame.
static inline firn_result firn_replay_body(const firn_replay* replay, firn_collider_id id,
                                           firn_body_info* out_info)
{
    return firn_replay_body_sized(replay, id, out_info, sizeof *out_info);
}
// Get the mesh of a collider, as firn_sim_body_mesh.
FIRN_API firn_result firn_replay_body_mesh(const firn_replay* replay, firn_collider_id id,
                                           firn_body_mesh* out_mesh, firn_error* out_error);
// Set the rectangle of a height field to that of the snow, as firn_sim_height_box.
FIRN_API firn_result firn_replay_height_box(const firn_replay* replay, firn_height_def* def);
// Compute a height field of the current frame, as firn_sim_heights.
FIRN_API firn_result firn_replay_heights(const firn_replay* replay, const firn_height_def* def,
                                         float* out_heights);
// Bring a height field that is kept to the current frame, as firn_heights_update.
FIRN_API firn_result firn_replay_heights_update(const firn_replay* replay, firn_heights* heights,
                                                firn_rect* out_dirty);
// Draw the current frame, as firn_sim_picture.
FIRN_API firn_result firn_replay_picture(const firn_replay* replay, int width, int height,
                                         uint8_t* out_pixels, firn_error* out_error);

#ifdef __cplusplus
}
#endif
