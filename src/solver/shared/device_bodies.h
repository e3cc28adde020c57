// SPDX-License-Identifier: MIT
// Dynamic colliders of a simulation on a device: the engine that moves them (bodies/bodies.h) runs
// on the host, between steps (design/0023-bodies-on-a-gpu.md).
//
//     host     begin: poses, contacts, V_0      wait              end: loads move the bodies
//     device                   | drive | one step against them | loads |
//
// So their simulations have batches of one step, and no step is computed ahead. The engine is the
// CPU's: bodies are bitwise those of the CPU where the loads are.
#pragma once
#include "solver/shared/device_run.h"

// True if the simulation has dynamic colliders.
bool firn_device_bodies_any(const firn_solver_base* base);
// Before a step at batch->time; once, even if the device tries the step again.
firn_result firn_device_bodies_begin(firn_solver_base* base, const firn_device_solver* solver,
                                     firn_device_batch* batch, const firn_lumps** out_lumps,
                                     firn_error* error);
// After it, when the base has its time, length and loads.
// FIRN_BROKEN_DIVERGED: a body is lost.
firn_result firn_device_bodies_end(firn_solver_base* base, const firn_device_solver* solver,
                                   firn_error* error);
// A step without any snow: sets time and dt of the base, dt_limit [s] at most.
firn_result firn_device_bodies_alone(firn_solver_base* base, double time, double dt_limit,
                                     firn_error* error);
