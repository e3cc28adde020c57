// SPDX-License-Identifier: MIT
// The air of a scene: how it moves (wind.h samples it), drags flakes and heats or cools them.
// Zeroed: there is none, flakes fall freely.
#pragma once
#include "core/result.h"
#include "scene/data/temperature.h"

typedef struct firn_velocity_volume firn_velocity_volume;  // geometry/levelset/velocity_volume.h
typedef struct firn_text firn_text;                        // core/text.h
typedef struct firn_scene_data firn_scene_data;            // scene/data/scene.h
typedef struct firn_collider firn_collider;                // geometry/collider/collider.h

// Turbulence that is added to the wind. Taylor's frozen eddies: the pattern drifts with the wind,
// and changes while it does.
typedef struct firn_gust_block {
    double strength;  // [-] rms of each component, as a share of the wind's speed; 0: none
    double length;    // [m] size of an eddy
    double period;    // [s] after which the pattern is another one
    int64_t seed;
} firn_gust_block;

// A wind from a file.
typedef struct firn_wind_file {
    char* file;                              // owned: a .vdb file; null: none
    char* grid;                              // owned: its name in the file; null: the usual ones
    const firn_velocity_volume* velocities;  // a share of it; null: none
} firn_wind_file;

#define FIRN_AIR_HEAT_TRANSFER 10.0  // [W/m^2/K] of air that says nothing

typedef struct firn_air_block {
    bool active;         // the block is given; set by the parser
    double velocity[3];  // [m/s] of the wind, where `volume` has none
    firn_gust_block gusts;
    firn_wind_file volume;
    double density;        // [kg/m^3]
    double viscosity;      // [Pa s]
    double temperature;    // [degC], where there are no keys, else the first key's; NaN: it
                           //     exchanges no heat. firn_air_temperature knows both
    double heat_transfer;  // [W/m^2/K] between air and snow
    // Rows (FIRN_KEY_ROWS): a count, then room for as many as there may be.
    int32_t temperature_key_count;                                     // 0: `temperature` stays
    firn_temperature_key temperature_keys[FIRN_TEMPERATURE_KEYS_MAX];  // ascending in time
    bool drag;                                                         // flakes feel it
} firn_air_block;

// Temperature of the scene's air, and of a body of it, at a time [degC]; NaN: it exchanges no heat.
double firn_air_temperature(const firn_scene_data* scene, double time);
double firn_body_temperature(const firn_scene_data* scene, const firn_collider* collider,
                             double time);

// Gives a byte-for-byte copy its own texts and its share. False when memory is out: release it.
bool firn_air_own(firn_air_block* copy);
void firn_air_release(firn_air_block* air);  // frees what it owns, zeroes the struct
// The line `air: {...}` of a scene; nothing when there is none. For the hash, a volume is what it
// holds, wherever it came from.
void firn_air_write(firn_text* text, const firn_air_block* air, int digits, bool for_hash);
