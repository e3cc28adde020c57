// SPDX-License-Identifier: MIT
// Definitions from keyword arguments. One table per definition of firn/defs.h and its like: it
// fills the struct, and the signatures, help texts and stubs of the Python functions are written
// from it (tools/python_api.py). `help` null: the text of the key of that name in the scene
// reference.
#include <string.h>

#include "firnpy.h"

#define ROW(table, type, field, unit, help)              \
    {                                                    \
#field, type, offsetof(table, field), unit, help \
    }
#define TABLE(name, struct_name)                               \
    static void init_##name(void* def)                         \
    {                                                          \
        const struct_name fresh = firn_default_##name##_def(); \
        memcpy(def, &fresh, sizeof fresh);                     \
    }
#define ENTRY(name, struct_name)                                                          \
    {                                                                                     \
#name, name##_rows, (int)(sizeof name##_rows / sizeof *name##_rows), init_##name, \
            sizeof(struct_name)                                                           \
    }

static const def_row material_rows[] = {
    ROW(firn_material_def, DEF_TEXT, preset, "", "Name of a preset, whose constants are used."),
    ROW(firn_material_def, DEF_REAL, density, "kg/m^3", NULL),
    ROW(firn_material_def, DEF_REAL, young, "Pa", NULL),
    ROW(firn_material_def, DEF_REAL, poisson, "", NULL),
    ROW(firn_material_def, DEF_REAL, hardening, "", NULL),
    ROW(firn_material_def, DEF_REAL, critical_compression, "", NULL),
    ROW(firn_material_def, DEF_REAL, critical_stretch, "", NULL),
    ROW(firn_material_def, DEF_REAL, viscosity, "Pa s",
        "Viscosity of a fluid (solver sph), or of snow that creeps (solver mpm, where it ages)."),
    ROW(firn_material_def, DEF_BOOL, slips, "", "A viscous fluid slides along colliders."),
    ROW(firn_material_def, DEF_REAL, surface_tension, "N/m", NULL),
    ROW(firn_material_def, DEF_DOUBLE, becomes_after, "s",
        "When it turns into `becomes`: time since a particle was emitted, or became this."),
    ROW(firn_material_def, DEF_DOUBLE, becomes_below, "degC",
        "It turns into `becomes` below this temperature; nan: at none."),
    ROW(firn_material_def, DEF_DOUBLE, becomes_above, "degC",
        "It turns into `becomes` above this temperature; nan: at none."),
    ROW(firn_material_def, DEF_DOUBLE, becomes_over, "s",
        "Time in which its rest density changes to that of `becomes`."),
};
static const def_row measured_rows[] = {
    ROW(firn_measured_def, DEF_DOUBLE, density, "kg/m^3", "Density, 50 to 500."),
    ROW(firn_measured_def, DEF_DOUBLE, temperature, "degC", "Temperature, -60 to 0."),
    ROW(firn_measured_def, DEF_BOOL, faceted, "", "Faceted grains, weaker than rounded ones."),
};
static const def_row snow_rows[] = {
    ROW(firn_snow_def, DEF_VEC3, velocity, "m/s", NULL),
    ROW(firn_snow_def, DEF_VEC3, spin, "rad/s", NULL),
    ROW(firn_snow_def, DEF_REAL, particles_per_cell, "", NULL),
    ROW(firn_snow_def, DEF_REAL, loose, "", NULL),
    ROW(firn_snow_def, DEF_INT, seed, "", NULL),
    ROW(firn_snow_def, DEF_REAL, temperature, "degC", NULL),
    ROW(firn_snow_def, DEF_REAL, clearance, "spacings",
        "Snow added to a simulation keeps this distance from existing snow; 0: none."),
};
static const def_row emitter_rows[] = {
    ROW(firn_emitter_def, DEF_DOUBLE, rate, "1/s", NULL),
    ROW(firn_emitter_def, DEF_VEC3, velocity, "m/s", NULL),
    ROW(firn_emitter_def, DEF_DOUBLE, spread, "m/s", NULL),
    ROW(firn_emitter_def, DEF_DOUBLE, size, "m", NULL),
    ROW(firn_emitter_def, DEF_DOUBLE, flake_size, "m", NULL),
    ROW(firn_emitter_def, DEF_DOUBLE, flake_density, "kg/m^3", NULL),
    ROW(firn_emitter_def, DEF_DOUBLE, start, "s", NULL),
    ROW(firn_emitter_def, DEF_DOUBLE, stop, "s", NULL),
    ROW(firn_emitter_def, DEF_INT64, limit, "", NULL),
    ROW(firn_emitter_def, DEF_INT, seed, "", NULL),
    ROW(firn_emitter_def, DEF_DOUBLE, temperature, "degC", NULL),
    ROW(firn_emitter_def, DEF_DOUBLE, flow, "kg/s", NULL),
    ROW(firn_emitter_def, DEF_DOUBLE, mass, "kg", NULL),
    ROW(firn_emitter_def, DEF_DOUBLE, speed, "m/s", NULL),
    ROW(firn_emitter_def, DEF_DOUBLE, depth, "m", NULL),
};
static const def_row collider_rows[] = {
    ROW(firn_collider_def, DEF_VEC3, position, "m", NULL),
    ROW(firn_collider_def, DEF_QUAT, rotation, "", NULL),
    ROW(firn_collider_def, DEF_REAL, scale, "", NULL),
    ROW(firn_collider_def, DEF_VEC3, velocity, "m/s", NULL),
    ROW(firn_collider_def, DEF_VEC3, spin, "rad/s", NULL),
    ROW(firn_collider_def, DEF_VEC3, pivot, "m", NULL),
    ROW(firn_collider_def, DEF_BOOL, linear, "",
        "Interpolate `keys` linearly instead of by a spline."),
    ROW(firn_collider_def, DEF_TEXT, motion_file, "", "A glTF file whose node moves the collider."),
    ROW(firn_collider_def, DEF_TEXT, motion_node, "", "The node to follow."),
    ROW(firn_collider_def, DEF_TEXT, motion_clip, "", "The animation; None: the first."),
    ROW(firn_collider_def, DEF_DOUBLE, motion_start, "s", "When the animation starts."),
    ROW(firn_collider_def, DEF_REAL, friction, "", NULL),
    ROW(firn_collider_def, DEF_BOOL, sticky, "", NULL),
    ROW(firn_collider_def, DEF_REAL, mass, "kg", NULL),
    ROW(firn_collider_def, DEF_REAL, viscosity, "m^2/s", NULL),
    ROW(firn_collider_def, DEF_REAL, adhesion, "", NULL),
    ROW(firn_collider_def, DEF_REAL, temperature, "degC", NULL),
    ROW(firn_collider_def, DEF_BOOL, temperature_of_air, "", "As warm as the air."),
    ROW(firn_collider_def, DEF_REAL, heat_transfer, "W/m^2/K", NULL),
    ROW(firn_collider_def, DEF_REAL, restitution, "", NULL),
    ROW(firn_collider_def, DEF_REAL, damping, "1/s", NULL),
    ROW(firn_collider_def, DEF_REAL, angular_damping, "1/s", NULL),
    ROW(firn_collider_def, DEF_VEC3, inertia, "kg m^2", NULL),
};
static const def_row joint_rows[] = {
    ROW(firn_joint_def, DEF_VEC3, point, "m", "Where the joint holds `a`, when it begins."),
    ROW(firn_joint_def, DEF_VEC3, axis, "", NULL),
    ROW(firn_joint_def, DEF_REAL, angle_low, "rad", NULL),
    ROW(firn_joint_def, DEF_REAL, angle_high, "rad", NULL),
    ROW(firn_joint_def, DEF_REAL, length, "m",
        "Length of a spring without force, or of a rope or rod; -1: as it is when it begins."),
    ROW(firn_joint_def, DEF_REAL, stiffness, "N/m", NULL),
    ROW(firn_joint_def, DEF_REAL, damping, "N s/m", NULL),
    ROW(firn_joint_def, DEF_REAL, break_force, "N", NULL),
    ROW(firn_joint_def, DEF_REAL, break_torque, "N m", NULL),
    ROW(firn_joint_def, DEF_BOOL, collide, "", NULL),
};
static const def_row text_rows[] = {
    ROW(firn_text_def, DEF_TEXT, font, "", "A font file, or the name of an installed font."),
    ROW(firn_text_def, DEF_DOUBLE, size, "m", "Height of capital letters."),
    ROW(firn_text_def, DEF_DOUBLE, depth, "m", "Along z."),
    ROW(firn_text_def, DEF_DOUBLE, spacing, "m", "Additional space between letters."),
    ROW(firn_text_def, DEF_DOUBLE, line_height, "", "Relative to the font's line height."),
    ROW(firn_text_def, DEF_ALIGN, align, "", "'left', 'center' or 'right'."),
    ROW(firn_text_def, DEF_DOUBLE, voxel, "m", "Of the level set of the letters."),
};
static const def_row mesh_rows[] = {
    ROW(firn_mesh_def, DEF_DOUBLE, voxel, "m", "Of the level set; 0: chosen."),
    ROW(firn_mesh_def, DEF_DOUBLE, scale, "", "Factor on the coordinates."),
    ROW(firn_mesh_def, DEF_BOOL, z_up, "", "z points up in the mesh, not y."),
    ROW(firn_mesh_def, DEF_BOOL, mend, "", "Repair a mesh that is open or intersects itself."),
    ROW(firn_mesh_def, DEF_TEXT, node, "", "glTF: only the meshes at and below this node."),
    ROW(firn_mesh_def, DEF_BOOL, node_coordinates, "",
        "In the node's own coordinates, as a motion by the same node needs them."),
};
static const def_row sim_rows[] = {
    ROW(firn_sim_def, DEF_INT, threads, "", "Threads; 0: all cores. Results do not depend on it."),
    ROW(firn_sim_def, DEF_TEXT, backend, "", "'cpu', or a GPU: 'cuda', 'cuda:1'."),
    ROW(firn_sim_def, DEF_TEXT, simd, "",
        "None: the best of the machine; 'baseline', 'x86-64-v3', 'x86-64-v4', 'plain'."),
    ROW(firn_sim_def, DEF_INT, run_ahead, "", "Steps that a device may have in flight; 0: chosen."),
    ROW(firn_sim_def, DEF_TEXT, output_dir, "", "Folder of a run; None: nothing is written."),
    ROW(firn_sim_def, DEF_INT64, frame_end, "", "Last frame; -1: the scene's last frame."),
    ROW(firn_sim_def, DEF_BOOL, resume, "", "Continue from the newest checkpoint of the folder."),
    ROW(firn_sim_def, DEF_BOOL, overwrite, "", "Delete an existing run in the folder first."),
    ROW(firn_sim_def, DEF_INT64, particles_max, "",
        "Memory for so many particles is allocated at creation; 0: as the scene needs."),
    ROW(firn_sim_def, DEF_UINT64, memory_cap_bytes, "bytes", "Refuse to use more; 0: no limit."),
};
static const def_row force_rows[] = {
    ROW(firn_force_def, DEF_DOUBLE, strength, "m/s^2", NULL),
    ROW(firn_force_def, DEF_VEC3, direction, "", NULL),
    ROW(firn_force_def, DEF_VEC3, center, "m", NULL),
    ROW(firn_force_def, DEF_DOUBLE, radius, "m", "Where it ends; 0: everywhere."),
    ROW(firn_force_def, DEF_DOUBLE, length, "m", NULL),
    ROW(firn_force_def, DEF_DOUBLE, period, "s", NULL),
    ROW(firn_force_def, DEF_INT64, seed, "", NULL),
};
static const def_row height_rows[] = {
    ROW(firn_height_def, DEF_DOUBLE, x, "m", "Corner with the smallest coordinates."),
    ROW(firn_height_def, DEF_DOUBLE, z, "m", "Corner with the smallest coordinates."),
    ROW(firn_height_def, DEF_DOUBLE, width, "m", "Along x; 0: the bounding box of the snow."),
    ROW(firn_height_def, DEF_DOUBLE, depth, "m", "Along z; 0: the bounding box of the snow."),
    ROW(firn_height_def, DEF_INT, columns, "", "Samples along x, 2 to 16384."),
    ROW(firn_height_def, DEF_INT, rows, "", "Samples along z, 2 to 16384."),
    ROW(firn_height_def, DEF_DOUBLE, empty, "m", "Value where there is no snow."),
    ROW(firn_height_def, DEF_DOUBLE, tolerance, "m",
        "Of heights that are kept: particles that have moved by less count as at rest."),
};
static const def_row surface_rows[] = {
    ROW(firn_surface_def, DEF_DOUBLE, voxel, "m", "Edge of the cells; 0: 1.5 spacings."),
    ROW(firn_surface_def, DEF_DOUBLE, threshold, "", "Share of packed snow at the surface."),
    ROW(firn_surface_def, DEF_BOOL, anisotropic, "", "Smoother, and several times slower."),
    ROW(firn_surface_def, DEF_BOOL, velocities, "", "Vertices have velocities."),
    ROW(firn_surface_def, DEF_BOOL, temperatures, "", "Vertices have temperatures."),
};
static const def_row export_rows[] = {
    ROW(firn_export_def, DEF_TEXT, output_dir, "", "None: the folder of the run."),
    ROW(firn_export_def, DEF_BOOL, ply, "", "PLY files."),
    ROW(firn_export_def, DEF_BOOL, vtp, "", "VTK XML files."),
    ROW(firn_export_def, DEF_BOOL, vdb, "", "OpenVDB volumes."),
    ROW(firn_export_def, DEF_BOOL, heights, "", "Height fields: .png (16 bits), .r32 and .json."),
    ROW(firn_export_def, DEF_BOOL, z_up, "", "(x, y, z) becomes (x, -z, y), for Blender."),
    ROW(firn_export_def, DEF_INT64, frame_begin, "", "First frame."),
    ROW(firn_export_def, DEF_INT64, frame_end, "", "Last frame; -1: the last of the run."),
    ROW(firn_export_def, DEF_INT64, frame_step, "", "Every frame_step-th frame."),
    ROW(firn_export_def, DEF_DOUBLE, voxel, "m",
        "Of volumes; 0: half the run's cell. Of meshes; 0: half a particle spacing."),
    ROW(firn_export_def, DEF_INT64, samples, "", "Of height fields along the longer side."),
    ROW(firn_export_def, DEF_BOOL, mesh, "", "A smooth closed surface of the snow."),
    ROW(firn_export_def, DEF_INT, mesh_format, "", "0: PLY, 1: OBJ, 2: GLB (binary glTF)."),
    ROW(firn_export_def, DEF_BOOL, sdf, "", "OpenVDB level sets of the same surface."),
    ROW(firn_export_def, DEF_BOOL, colliders, "", "A .glb file of all colliders and their motion."),
    ROW(firn_export_def, DEF_BOOL, usd, "",
        "A .usda stage: volumes, points, colliders, camera and sun."),
    ROW(firn_export_def, DEF_INT64, points, "", "Of a stage, per frame at most; 0: none."),
};
static const def_row measure_rows[] = {
    ROW(firn_measure_def, DEF_INT64, frame_begin, "", "First frame."),
    ROW(firn_measure_def, DEF_INT64, frame_end, "", "Last frame; -1: the last of the run."),
    ROW(firn_measure_def, DEF_INT64, frame_step, "", "Every frame_step-th frame."),
    ROW(firn_measure_def, DEF_DOUBLE, voxel, "m", "Of fragments; 0: the run's cell."),
    ROW(firn_measure_def, DEF_DOUBLE, threshold, "kg/m^3", "Least density inside of a fragment."),
    ROW(firn_measure_def, DEF_INT64, smallest, "voxels", "Smaller fragments count as dust."),
    ROW(firn_measure_def, DEF_BOOL, by_corners, "", "Connect voxels by edges and corners, too."),
    ROW(firn_measure_def, DEF_INT, threads, "", "Threads; 0: all cores."),
};
static const def_row render_rows[] = {
    ROW(firn_render_def, DEF_TEXT, output_dir, "", "None: 'pictures' in the folder of the run."),
    ROW(firn_render_def, DEF_INT64, frame_begin, "", "First frame."),
    ROW(firn_render_def, DEF_INT64, frame_end, "", "Last frame; -1: the last of the run."),
    ROW(firn_render_def, DEF_INT64, frame_step, "", "Every frame_step-th frame."),
    ROW(firn_render_def, DEF_INT, threads, "", "Threads; 0: all cores."),
    ROW(firn_render_def, DEF_BOOL, resume, "", "Keep existing pictures."),
    ROW(firn_render_def, DEF_BOOL, overwrite, "", "Render existing pictures again."),
    ROW(firn_render_def, DEF_BOOL, exr, "", "Write linear radiance as .exr, too."),
    ROW(firn_render_def, DEF_BOOL, film, "", "Write an .mp4 if there are several pictures."),
    ROW(firn_render_def, DEF_TEXT, camera, "",
        "A camera of render.cameras, a glTF file (FILE or FILE:NAME), or '{eye: [...], ...}'; "
        "None: "
        "the scene's."),
    ROW(firn_render_def, DEF_TEXT, backend, "", "'cpu', or a GPU: 'cuda', 'cuda:1'."),
};

TABLE(material, firn_material_def)
TABLE(measured, firn_measured_def)
TABLE(snow, firn_snow_def)
TABLE(emitter, firn_emitter_def)
TABLE(collider, firn_collider_def)
TABLE(joint, firn_joint_def)
TABLE(force, firn_force_def)
TABLE(text, firn_text_def)
TABLE(mesh, firn_mesh_def)
TABLE(sim, firn_sim_def)
TABLE(height, firn_height_def)
TABLE(surface, firn_surface_def)
TABLE(export, firn_export_def)
TABLE(measure, firn_measure_def)
TABLE(render, firn_render_def)

const def_table def_tables[] = {
    ENTRY(material, firn_material_def), ENTRY(measured, firn_measured_def),
    ENTRY(snow, firn_snow_def),         ENTRY(emitter, firn_emitter_def),
    ENTRY(collider, firn_collider_def), ENTRY(joint, firn_joint_def),
    ENTRY(text, firn_text_def),         ENTRY(mesh, firn_mesh_def),
    ENTRY(sim, firn_sim_def),           ENTRY(height, firn_height_def),
    ENTRY(surface, firn_surface_def),   ENTRY(export, firn_export_def),
    ENTRY(measure, firn_measure_def),   ENTRY(render, firn_render_def),
    ENTRY(force, firn_force_def),
};
const int def_table_count = (int)(sizeof def_tables / sizeof *def_tables);
