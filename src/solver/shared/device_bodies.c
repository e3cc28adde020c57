// SPDX-License-Identifier: MIT
#include "solver/shared/device_bodies.h"

#include <math.h>

#include "bodies/bodies.h"
#include "solver/shared/base.h"

#define STEP_ALONE 4e-3  // [s] at most: 16 substeps of the engine

bool firn_device_bodies_any(const firn_solver_base* base)
{
    return base->bodies != NULL && firn_bodies_count(base->bodies) > 0;
}

firn_result firn_device_bodies_begin(firn_solver_base* base, const firn_device_solver* solver,
                                     firn_device_batch* batch, const firn_lumps** out_lumps,
                                     firn_error* error)
{
    *out_lumps = NULL;
    base->time = batch->time;
    firn_base_take_bodies(base);
    FIRN_TRY(firn_base_move_colliders(base, error));
    return solver->begin_bodies != NULL ? solver->begin_bodies(base, batch, out_lumps, error)
                                        : FIRN_OK;
}

firn_result firn_device_bodies_end(firn_solver_base* base, const firn_device_solver* solver,
                                   firn_error* error)
{
    if (solver->begin_bodies == NULL) firn_base_begin_bodies(base);
    firn_base_push_loads(base);
    return firn_base_finish_bodies(base, error);
}

firn_result firn_device_bodies_alone(firn_solver_base* base, double time, double dt_limit,
                                     firn_error* error)
{
    const double steps = ceil(dt_limit / STEP_ALONE - 1e-6);
    base->time = time;
    base->dt = steps > 1 ? dt_limit / steps : dt_limit;
    firn_base_take_bodies(base);
    FIRN_TRY(firn_base_move_colliders(base, error));
    firn_base_begin_bodies(base);
    return firn_base_finish_bodies(base, error);
}
