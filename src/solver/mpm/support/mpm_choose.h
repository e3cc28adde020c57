// SPDX-License-Identifier: MIT
// `integrator: auto`: explicit or semi-implicit, whichever has the lower predicted cost per
// simulated second; decided at the start of each frame.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "solver/mpm/mpm.h"

// State of the choice; part of a checkpoint, so that a resumed run makes the same choices.
typedef struct firn_mpm_choice {
    uint8_t implicit;      // the current integrator
    uint8_t chosen;        // a choice has been made
    uint8_t frame_begins;  // the next step is the first of a frame
    uint8_t unused[5];
    int64_t iterations, steps;  // of the semi-implicit steps of this frame
    double crossings;           // their sum of dt c / h: cells that sound crossed
    double per_crossing;        // iterations per crossed cell, learnt; 0: not yet
} firn_mpm_choice;

// Measurements at the start of a frame, and predictions from them.
typedef struct firn_mpm_prospect {
    double speed, sound;   // fastest particle, fastest hardened sound [m/s]
    double dt_factor;      // of the semi-implicit step, adapted to iteration counts (learn_dt)
    double explicit_dt;    // out: steps that each would take [s]
    double implicit_dt;    // out
    double iterations;     // out: of each semi-implicit step
    double explicit_cost;  // out: per simulated second, in steps without a solve
    double implicit_cost;  // out
} firn_mpm_prospect;

// Fills the outputs of `prospect` and decides. True if the integrator changes or is chosen for the
// first time.
bool firn_mpm_choose(const firn_mpm_def* def, firn_mpm_choice* choice, firn_mpm_prospect* prospect);
// After a step: counts its iterations, and whether the frame is over.
void firn_mpm_choice_learn(firn_mpm_choice* choice, int iterations, double crossing,
                           bool frame_ends);
