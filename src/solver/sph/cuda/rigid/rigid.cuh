// SPDX-License-Identifier: MIT
// Dynamic colliders of a step on a device (rigid/sph_lumps.h), and the particles near them.
//
// Holds are in the order of the CPU: by contact record, then by collider. A record has room for one
// hold per collider with a mass near it; those of colliders that do not move in this step have no
// lump. `list` has the holds of each lump in the same order.
#pragma once
#include "solver/sph/laws/face.h"
#include "solver/sph/laws/hold_shear.h"

// Uploaded before each step.
typedef struct firn_sph_rigid_head {
    int count;  // lumps
} firn_sph_rigid_head;

// Argument of kernels, as part of firn_sph_device.
typedef struct firn_sph_rigid {
    bool active;  // the scene has dynamic colliders
    firn_sph_rigid_head* head;
    firn_lump* lumps;     // [colliders]
    firn_local* lump_of;  // [colliders] -1: none
    firn_vec3* center;    // [colliders] what torques are about (shared/loads.h)
    firn_lump_pin* pins;
    double (*first)[6];  // [colliders] as in firn_sph_lumps, of lumps
    double (*before)[6], (*start)[6], (*soft)[FIRN_LUMP_TERMS];
    double (*answer)[FIRN_LUMP_TERMS], (*yield)[FIRN_SPH_YIELD_TERMS];
    double (*face)[FIRN_SPH_FACE_TERMS], (*known)[6], (*rate)[6];
    double (*change)[6];   // of V, by what the solves left over
    int* balanced;         // [colliders] `change` holds
    firn_sph_hold* hold;   // [capacity]
    uint32_t* hold_first;  // [contacts + 1] of each contact record
    uint64_t *sort_key, *sort_key_out;
    uint32_t *number, *list;  // [capacity] numbers of holds, by lump
    int* list_first;          // [colliders + 1]
    int capacity;
} firn_sph_rigid;
