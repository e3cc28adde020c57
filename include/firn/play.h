// SPDX-License-Identifier: MIT
// Interactive use of firn, for games and viewers: steps within a time budget, colliders that the
// caller moves, data for drawing. A "body" of this API is a collider of the scene.
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

// ---- steps within a time budget ---------------------------------------------------------------

// What firn_sim_advance_by has done.
typedef struct firn_advance {
    double simulated;  // [s] simulated time; < 0 after a rollback
    double wall;       // [s] wall-clock time
    int64_t steps;
    double behind;  // [s] simulated time that was dropped because the budget ran out
} firn_advance;
// Advance the simulation by `seconds` in whole steps. If the last step goes too far, the next call
// advances by less, so that calls of 1/60 s add up to real time. Stops before a step that would
// probably end later than `wall` seconds from now (0: no budget), judged by the last steps, but
// does at least one. Writes no frames and does not stop at the scene's last frame. Rolls back as
// firn_sim_frame does. `out_done` may be null; it is written except on FIRN_REFUSED_ARGUMENT.
// FIRN_REFUSED_ARGUMENT: a time is negative or not finite. FIRN_INTERRUPTED: firn_sim_cancel was
// called.
FIRN_API firn_result firn_sim_advance_by(firn_sim* sim, double seconds, double wall,
                                         firn_advance* out_done);

// ---- colliders --------------------------------------------------------------------------------

// Pose and motion of a collider: x_world = position + scale * (rotation x_body rotation*)
typedef struct firn_body_pose {
    firn_vec3 position;  // [m]
    firn_quat rotation;
    firn_real scale;     // > 0
    firn_vec3 velocity;  // [m/s] of `position`
    firn_vec3 spin;      // [rad/s], world axes
} firn_body_pose;

// What determines the motion of a collider.
typedef enum firn_body_driver {
    FIRN_BODY_SCENE,   // kinematic, as in the scene
    FIRN_BODY_CALLER,  // kinematic, by firn_sim_body_move
    FIRN_BODY_FREE     // dynamic: has a mass and is moved by gravity and snow
} firn_body_driver;

typedef struct firn_body_info {
    firn_body_pose pose;  // current
    firn_body_driver driver;
    double mass;  // [kg]; 0: not dynamic
    bool hidden;  // not rendered
    bool deforms;
    bool bounded;             // false: a plane, or contains one
    firn_vec3 point, normal;  // of an unbounded collider's plane, in world coordinates
    firn_vec3 low, high;      // of a bounded collider: bounding box in world coordinates [m]
    float colour[3];          // 0..1, linear; from the scene, or the default of the renderers
    double temperature;       // [degC]; NaN: no heat exchange
    bool removed;             // by firn_sim_remove_collider; also hidden
} firn_body_info;
// Get the number of colliders, in the order of the scene's `colliders`.
FIRN_API int firn_sim_body_count(const firn_sim* sim);
// Get the id of a collider by its number, as firn_scene_add_collider gave it.
// FIRN_REFUSED_ARGUMENT: there are not so many.
FIRN_API firn_result firn_sim_body_at(const firn_sim* sim, int index, firn_collider_id* out_id);
FIRN_API firn_result firn_sim_body_sized(const firn_sim* sim, firn_collider_id id,
                                         firn_body_info* out_info, uint32_t size);
// Get pose, extent and look of a collider.
static inline firn_result firn_sim_body(const firn_sim* sim, firn_collider_id id,
                                        firn_body_info* out_info)
{
    return firn_sim_body_sized(sim, id, out_info, sizeof *out_info);
}
// Move a collider. It starts from this pose and continues with its velocity and spin until the next
// call. Works with all solvers, on CPU and CUDA. Part of the state: checkpoints store it, and
// frames that are recomputed after a rollback use the motion of the last call.
// FIRN_REFUSED_ARGUMENT: no such collider, values that are not finite, a scale <= 0, or a deforming
// collider; nothing is changed.
FIRN_API firn_result firn_sim_body_move(firn_sim* sim, firn_collider_id id,
                                        const firn_body_pose* pose);
// Stop moving a collider. It continues as the scene defines at the current time; a dynamic one
// continues freely from its current pose. Has no effect on colliders that the caller does not move.
FIRN_API firn_result firn_sim_body_release(firn_sim* sim, firn_collider_id id);

// Force and torque of the snow on a collider: means over a time. Forces between colliders do not
// count. theory/forces.md says what each solver sums up.
typedef struct firn_body_load {
    double force[3];   // [N]
    double torque[3];  // [N m] about `about`
    double about[3];   // [m] at the start of the last step: the centre of mass of a dynamic
                       // collider, else the position of its pose
    double seconds;    // [s] length of the time; 0: no step yet, all values are 0
} firn_body_load;
// Get the load on a collider: of the last step, and the mean over the last frame that was
// completed. Either may be null. Bitwise independent of the number of threads.
// FIRN_REFUSED_ARGUMENT: no such collider.
FIRN_API firn_result firn_sim_body_load(const firn_sim* sim, firn_collider_id id,
                                        firn_body_load* out_step, firn_body_load* out_frame);

// Triangles of a collider in its own coordinates; counter-clockwise seen from outside.
typedef struct firn_body_mesh {
    firn_vec3* vertices;  // [vertex_count] [m]
    firn_vec3* normals;   // [vertex_count]
    int64_t vertex_count;
    int32_t* triangles;  // [triangle_count][3]
    int64_t triangle_count;
} firn_body_mesh;
// Get the mesh of a collider; free it with firn_body_mesh_free. Unbounded parts such as planes have
// no triangles. Of a deforming collider: its current shape. Analytic shapes and mesh files have
// their own triangles; others are contoured with edges of about a hundredth of their size. Sharp
// edges are preserved; vertices with several normals are duplicated.
FIRN_API firn_result firn_sim_body_mesh(const firn_sim* sim, firn_collider_id id,
                                        firn_body_mesh* out_mesh, firn_error* out_error);
// Free a mesh. Null is allowed.
FIRN_API void firn_body_mesh_free(firn_body_mesh* mesh);

// ---- temperature ------------------------------------------------------------------------------

// Set the temperature [degC] of the air and of all colliders that have one, overriding the scene.
// Adds air at rest if the scene has none. Part of the state. FIRN_REFUSED_NAME: the solver does not
// support heat, or the particles have no temperature because the scene sets none.
// FIRN_REFUSED_ARGUMENT: below -273.15 or above 10000.
FIRN_API firn_result firn_sim_set_temperature(firn_sim* sim, double celsius);
// Get the current temperature of the air [degC]; NaN: no heat exchange.
FIRN_API double firn_sim_temperature(const firn_sim* sim);

// ---- camera -----------------------------------------------------------------------------------

// Camera of the scene and other settings for a viewer.
typedef struct firn_view_info {
    double eye[3], look_at[3];  // [m]
    double fov;                 // [degrees], vertical
    double sun[3];              // unit vector towards the sun
    double fps;                 // frames per second of the scene
    int64_t frames;             // number of frames after frame 0
    double spacing;             // [m] distance of particles in packed snow
    char colour_by[32];         // field that colours the scene's pictures; "": none
    double colour_low, colour_high;
    char title[128];
    // How pictures show particles by their field `material`: 0 snow, 1 ice, 2 water, 3 chocolate,
    // 4 soft ice.
    uint8_t material_look[256];
} firn_view_info;
FIRN_API firn_result firn_sim_view_sized(const firn_sim* sim, firn_view_info* out_info,
                                         uint32_t size);
// Get the camera at the current time.
static inline firn_result firn_sim_view(const firn_sim* sim, firn_view_info* out_info)
{
    return firn_sim_view_sized(sim, out_info, sizeof *out_info);
}

#ifdef __cplusplus
}
#endif
