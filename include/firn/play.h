// SPDX-License-Identifier: MIT
// firn in a game or a viewer: steps against a clock, bodies that the caller moves, what is there to
// be drawn, and frames of a run brought back.
//
//     firn_sim_body_move(sim, plow, &pose);
//     firn_advance done;
//     firn_sim_advance_by(sim, 1.0 / 60, 0.008, &done);   // a frame, in at most 8 ms
//     firn_sim_field(sim, "position", &x);                // no copy
// Start at samples/step4.c.
#pragma once
#include "firn/defs.h"
#include "firn/export.h"
#include "firn/field.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct firn_scene firn_scene;
typedef struct firn_sim firn_sim;

// ---- steps against a clock --------------------------------------------------------------------

typedef struct firn_advance {
    double simulated;  // [s] by which the simulation's time has moved; below 0: it was rolled back
    double wall;       // [s] that it took
    int64_t steps;
    double behind;  // [s] of what was asked for that the budget left undone; it is forgotten
} firn_advance;
// Moves the simulation on by `seconds`, in whole steps: what the last one goes beyond is taken off
// the next call, which may have nothing left to do, so that calls of 1/60 s add up to real time.
// Stops before a step that would probably end after `wall` seconds from now (0: no budget), by what
// the last ones took; the first is done whatever it may cost. Crossing a frame's time writes
// nothing. Rolls back as firn_sim_frame does. Goes on beyond the scene's last frame. `out_done` may
// be null; it is written in any case but FIRN_REFUSED_ARGUMENT: a time below 0 or not finite.
// FIRN_INTERRUPTED: by firn_sim_cancel, as firn_sim_frame.
FIRN_API firn_result firn_sim_advance_by(firn_sim* sim, double seconds, double wall,
                                         firn_advance* out_done);

// ---- bodies -----------------------------------------------------------------------------------

// x_world = position + scale * (rotation x_body rotation*)
typedef struct firn_body_pose {
    firn_vec3 position;  // [m]
    firn_quat rotation;
    firn_real scale;     // > 0
    firn_vec3 velocity;  // [m/s] of `position`
    firn_vec3 spin;      // [rad/s], world axes
} firn_body_pose;

typedef enum firn_body_driver {
    FIRN_BODY_SCENE,   // moves as the scene says
    FIRN_BODY_CALLER,  // moves as firn_sim_body_move said last
    FIRN_BODY_FREE     // has a mass, and moves as gravity and the snow push it
} firn_body_driver;

typedef struct firn_body_info {
    firn_body_pose pose;  // now
    firn_body_driver driver;
    double mass;  // [kg]; 0: nothing pushes it
    bool hidden;  // not in pictures
    bool deforms;
    bool bounded;             // false: a plane, or a body that has one; others have no `normal`
    firn_vec3 point, normal;  // of the plane, in world coordinates
    firn_vec3 low, high;      // of a bounded body: its box, in world coordinates [m]
    float colour[3];     // 0..1, linear; what pictures would choose where the scene says nothing
    double temperature;  // [degC]; NaN: it exchanges no heat
} firn_body_info;
// Bodies are counted as the scene's `colliders` are.
FIRN_API int firn_sim_body_count(const firn_sim* sim);
FIRN_API firn_result firn_sim_body(const firn_sim* sim, int body, firn_body_info* out_info);
// From now on the caller moves the body: during the steps that follow it goes on from this pose
// with its velocity and spin, until the next call. For all solvers; CPU and CUDA. Part of the
// state: checkpoints keep it; frames that are computed again after a step went wrong see the body
// on the line that the last call put it on. FIRN_REFUSED_ARGUMENT: no such body, not finite, a
// scale that is not above 0, or a body that deforms; nothing is changed.
FIRN_API firn_result firn_sim_body_move(firn_sim* sim, int body, const firn_body_pose* pose);
// The scene moves it again, where it would be by now. A body with a mass goes on freely from where
// it is. Nothing happens to one that the caller does not move.
FIRN_API firn_result firn_sim_body_release(firn_sim* sim, int body);

// Triangles of a body in its own coordinates; counter-clockwise seen from outside.
typedef struct firn_body_mesh {
    firn_vec3* vertices;  // [vertex_count] [m]
    firn_vec3* normals;   // [vertex_count]
    int64_t vertex_count;
    int32_t* triangles;  // [triangle_count][3]
    int64_t triangle_count;
} firn_body_mesh;
// Owned by the caller: give it back with firn_body_mesh_free. A plane has no triangles, nor has any
// other part without bounds. A body that deforms: as it is now. Shapes with a formula and mesh
// files have their own triangles, others are contoured, with edges of about a hundredth of the
// body's size; edges are sharp where the body's are. Vertices with several normals come several
// times.
FIRN_API firn_result firn_sim_body_mesh(const firn_sim* sim, int body, firn_body_mesh* out_mesh,
                                        firn_error* out_error);
FIRN_API void firn_body_mesh_free(firn_body_mesh* mesh);

// ---- weather ----------------------------------------------------------------------------------

// Temperature of the air and of every body that has one, from now on [degC], instead of what the
// scene says; air that the scene does not have comes with it, at rest. Part of the state.
// FIRN_REFUSED_NAME: the solver knows no heat, or its particles have no temperature because the
// scene gave none. FIRN_REFUSED_ARGUMENT: below -273.15 or above 10000.
FIRN_API firn_result firn_sim_set_temperature(firn_sim* sim, double celsius);
// That of the air now [degC]. NaN: it exchanges no heat.
FIRN_API double firn_sim_temperature(const firn_sim* sim);

// ---- the camera of the scene ------------------------------------------------------------------

typedef struct firn_view_info {
    double eye[3], look_at[3];  // [m]
    double fov;                 // [degrees], vertical
    double sun[3];              // unit vector towards it
    double fps;                 // of the scene's frames
    int64_t frames;             // after frame 0
    double spacing;             // [m] distance of particles that touch
    char colour_by[32];         // field that the scene's pictures are coloured by; "": none
    double colour_low, colour_high;
    char title[128];
} firn_view_info;
FIRN_API firn_result firn_sim_view(const firn_sim* sim, firn_view_info* out_info);

// ---- height fields ----------------------------------------------------------------------------

// The top of the snow over a rectangle of the ground, for engines that draw or walk on terrain.
typedef struct firn_height_def {
    double x, z;          // [m] corner with the smallest coordinates
    double width, depth;  // [m] along x and z; 0 and 0: the box of the snow, which is filled in
    int columns, rows;    // samples along x and z, on the corners: 256, 256; 2 to 16384
    double empty;         // [m] value where there is no snow: 0
    uint32_t cookie;
} firn_height_def;
FIRN_API firn_height_def firn_default_height_def(void);
// out_heights: [rows][columns] [m], the caller's. A particle reaches its radius above its middle
// (field "radius"; else half the distance of packed particles), and half as far again to the sides,
// so that packed ones leave no holes. Snow in the air counts when nothing lies below it; two
// particles' width of nothing is air. Same bits for any number of threads. FIRN_REFUSED_ARGUMENT:
// the def.
FIRN_API firn_result firn_sim_heights(const firn_sim* sim, firn_height_def* def,
                                      float* out_heights);

// ---- films ------------------------------------------------------------------------------------

// An .mp4 of pictures as they are made, through the ffmpeg program.
typedef struct firn_recording firn_recording;
// FIRN_REFUSED_BACKEND: there is no ffmpeg. The file appears at the end, whole.
FIRN_API firn_result firn_recording_begin(const char* path, int width, int height, double fps,
                                          firn_recording** out_recording, firn_error* out_error);
// pixels: [height][width][3], red, green, blue as a screen shows them, top row first; copied. After
// a refusal only the end is left.
FIRN_API firn_result firn_recording_add(firn_recording* recording, const uint8_t* pixels,
                                        firn_error* out_error);
// Gives the recording back, whatever the result; without a picture there is no file.
FIRN_API firn_result firn_recording_end(firn_recording* recording, firn_error* out_error);
// Gives it back, and no file appears. Null is fine.
FIRN_API void firn_recording_abandon(firn_recording* recording);

// ---- frames of a run, brought back ------------------------------------------------------------

typedef struct firn_replay firn_replay;
// Opens a run's folder. The frame that is there first is read. FIRN_REFUSED_NAME: no such run, or
// it has no frames yet. FIRN_REFUSED_SCENE: the scene in the folder cannot be read any more.
FIRN_API firn_result firn_replay_open(const char* dir, firn_replay** out_replay,
                                      firn_error* out_error);
FIRN_API void firn_replay_close(firn_replay* replay);
// Frames that are there now (a run may still be writing); ascending, borrowed until the next call.
FIRN_API int firn_replay_frames(firn_replay* replay, const int64_t** out_frames);
// Reads one. Refused (FIRN_REFUSED_NAME: there is none; FIRN_REFUSED_DAMAGED: its checksum is
// wrong): the frame that was read stays.
FIRN_API firn_result firn_replay_seek(firn_replay* replay, int64_t frame, firn_error* out_error);
FIRN_API int64_t firn_replay_frame(const firn_replay* replay);
FIRN_API double firn_replay_time(const firn_replay* replay);  // [s] of the frame
FIRN_API firn_result firn_replay_view(const firn_replay* replay, firn_view_info* out_info);
// Fields of the frame; borrowed until the next seek.
FIRN_API firn_result firn_replay_field(const firn_replay* replay, const char* name,
                                       firn_field_view* out_view);
FIRN_API int firn_replay_field_count(const firn_replay* replay);
FIRN_API firn_result firn_replay_field_at(const firn_replay* replay, int index,
                                          firn_field_view* out_view);
// Bodies as they were in the frame, whoever moved them.
FIRN_API int firn_replay_body_count(const firn_replay* replay);
FIRN_API firn_result firn_replay_body(const firn_replay* replay, int body,
                                      firn_body_info* out_info);
FIRN_API firn_result firn_replay_body_mesh(const firn_replay* replay, int body,
                                           firn_body_mesh* out_mesh, firn_error* out_error);
FIRN_API firn_result firn_replay_heights(const firn_replay* replay, firn_height_def* def,
                                         float* out_heights);

#ifdef __cplusplus
}
#endif
