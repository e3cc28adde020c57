// SPDX-License-Identifier: MIT
// The fields of particles that users see, listed once. From this list come the choices of the scene
// keys output.fields and render.colour_by, the arrays of frames and exported files, colour scales,
// and the table in docs/scene-reference.md. To add a field: add one entry, and the field to its
// solvers. What only a solver and its checkpoints need stands in the solver's own <name>_fields.h.
#pragma once
#include "core/result.h"
#include "firn/field.h"

// The colour maps of render.colour_by, in the order of the names in firn_colour_map_keys.
typedef enum firn_colour_map {
    FIRN_COLOURS_BLUE_RED,
    FIRN_COLOURS_WHITE_BLACK,
    FIRN_COLOURS_WHITE_BROWN,
    FIRN_COLOURS_PHASES
} firn_colour_map;

// X(index, name, key in scenes, type, unit, symbol, solvers that have it, 1: in frames by default,
//   label and narrowest width of a colour scale, lowest and highest value, colour map, help)
// `name` is that of firn_sim_field and of the arrays in files. The narrowest width keeps
// rounding errors from looking like differences; 0: no limit. Lowest and highest are equal where
// values are not bounded. The order is that of the columns of PLY files.
// clang-format off
#define FIRN_SCALE_FIELDS(X) /* those that a colour scale can show; vectors by their length */ \
    X(VELOCITY, velocity, velocity, VEC3, "m/s", "v", "all", 1, \
      "velocity", 0.1, 0, 0, BLUE_RED, "Velocity.") \
    X(DENSITY, density, density, REAL, "kg/m^3", "rho", "all", 1, \
      "density", 20, 0, 0, BLUE_RED, "Density of the snow around the particle.") \
    X(MASS, mass, mass, REAL, "kg", "m", "all", 1, \
      "mass", 0, 0, 0, BLUE_RED, "Mass of the particle.") \
    X(ID, id, id, U32, "", "", "all", 1, \
      "id", 0, 0, 0, BLUE_RED, "Number of the particle, the same in all frames.") \
    X(RADIUS, radius, radius, REAL, "m", "r", "grains", 1, \
      "radius", 0, 0, 0, BLUE_RED, "Radius of the grain.") \
    X(TEMPERATURE, temperature, temperature, REAL, "degC", "T", "sph, grains", 0, \
      "temperature", 2, 0, 0, BLUE_RED, "Temperature; with sph only in scenes with heat.") \
    X(WATER, water, water, REAL, "1", "beta", "sph, grains", 0, \
      "water", 0, 0, 0, BLUE_RED, "Molten fraction, 0 to 1; with sph only in scenes with heat.") \
    X(PHASE, phase, phase, U8, "", "", "grains", 1, \
      "phase", 0, 0, 2, PHASES, "0 snow, 1 ice, 2 water.") \
    X(BROKEN, broken, broken, U8, "", "", "grains", 1, \
      "broken bonds", 1, 0, 1, WHITE_BROWN, "1 where the bonds of the grain are broken, else 0.") \
    X(MATERIAL, material, material, U8, "", "", "all", 0, \
      "material", 0, 0, 0, BLUE_RED, "Index of the material in the scene.") \
    X(STIFFNESS, stiffness, stiffness, REAL, "1", "E / E_0", "mpm, sph", 0, \
      "stiffness", 0, 0, 0, BLUE_RED, "Factor on Young's modulus.") \
    X(PLASTIC_VOLUME, plastic_volume, plastic_volume, REAL, "1", "J_P", "mpm, sph", 0, \
      "J_P", 0.02, 0, 0, BLUE_RED, "Volume change that stays: below 1 compacted, above 1 torn.") \
    X(HARDENING, hardening, hardening, REAL, "1", "", "mpm, sph", 0, \
      "hardening", 0, 0, 0, BLUE_RED, "Factor on `hardening`, where it varies.") \
    X(COMPRESSION, compression, compression, REAL, "1", "", "mpm, sph", 0, \
      "compression", 0, 0, 0, BLUE_RED, "Factor on `critical_compression`, where it varies.") \
    X(STRETCH, stretch, stretch, REAL, "1", "", "mpm, sph", 0, \
      "stretch", 0, 0, 0, BLUE_RED, "Factor on `critical_stretch`, where it varies.") \
    X(CONSOLIDATION, consolidation, consolidation, REAL, "1", "alpha", "mpm", 0, \
      "alpha", 0.001, 0, 0, BLUE_RED, \
      "Hardening variable of `cam_clay`, where a material has it: below 0 it holds together.")
#define FIRN_OUTPUT_FIELDS(X) /* the choices of output.fields */ \
    FIRN_SCALE_FIELDS(X) \
    X(DEF_GRAD_ELASTIC, def_grad_elastic, def_grad_elastic, MAT3, "1", "F_E", "mpm, sph", 0, \
      "F_E", 0, 0, 0, BLUE_RED, "Elastic deformation gradient, row by row.") \
    X(POWDER, powder, powder, U8, "", "", "mpm", 0, \
      "powder", 0, 0, 1, WHITE_BLACK, \
      "1: a point of powder, behind all snow; always in frames with powder.")
#define FIRN_FRAME_FIELDS(X) /* all: a frame always has positions */ \
    X(POSITION, position, position, VEC3, "m", "x", "all", 1, \
      "position", 0, 0, 0, BLUE_RED, "Position.") \
    FIRN_OUTPUT_FIELDS(X)
// clang-format on

// FIRN_FRAME_POSITION, FIRN_FRAME_VELOCITY, ...: index into firn_field_table.
#define FIRN_FRAME_INDEX(index, ...) FIRN_FRAME_##index,
enum { FIRN_FRAME_FIELDS(FIRN_FRAME_INDEX) FIRN_FRAME_FIELD_COUNT };

#ifdef __cplusplus
extern "C" {
#endif

extern const firn_field_info firn_field_table[FIRN_FRAME_FIELD_COUNT];
// The name that a field has in solvers and checkpoints, and had in files of firn 0.1, where it
// differs; else null.
const char* firn_field_old_name(const char* name);

// Scene keys. Bit k of output.fields stands for field k + 1: positions are not optional.
// render.colour_by has "none" in place of the position.
#define FIRN_OUTPUT_BIT(field) (1u << ((field)-1))
extern const uint32_t firn_output_fields_default;
extern const char* const firn_output_field_keys[];  // null-terminated, as the following
extern const char* const firn_colour_field_keys[];
extern const char* const firn_colour_map_keys[];
// The colour map of a field's own scale, by index of the field.
extern const firn_colour_map firn_field_colour_maps[FIRN_FRAME_FIELD_COUNT];

#ifdef __cplusplus
}
#endif
