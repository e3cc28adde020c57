// SPDX-License-Identifier: MIT
// Sets gravity and wind during a simulation, in the simulation's own copy of the scene, which
// solvers read in every step.
#include "firn/world.h"

#include <math.h>
#include <string.h>

#include "sim/sim.h"
#include "sim/world/world.h"

#define GRAVITY_MOST 1e4  // [m/s^2] as for a scene's keys
#define WIND_MOST 1e3     // [m/s] as for a scene's keys

static bool is_within(const double v[3], double most)
{
    return fabs(v[0]) <= most && fabs(v[1]) <= most && fabs(v[2]) <= most;  // false for NaN
}

bool firn_world_gravity_is_valid(const double gravity[3])
{
    return is_within(gravity, GRAVITY_MOST);
}

bool firn_world_wind_is_valid(const double velocity[3])
{
    return is_within(velocity, WIND_MOST);
}

void firn_world_put_gravity(firn_sim* sim, const double gravity[3])
{
    memcpy(sim->scene.gravity, gravity, sizeof sim->scene.gravity);
    sim->scene.gravity_key_count = 0;
    sim->gravity_set = true;
}

void firn_world_put_wind(firn_sim* sim, const double velocity[3])
{
    // without air the other values of the block are their defaults: drag and no temperature
    firn_air_block* air = &sim->scene.air;
    air->active = true;
    memcpy(air->velocity, velocity, sizeof air->velocity);
    sim->wind_set = true;
}

firn_result firn_sim_set_gravity(firn_sim* sim, firn_vec3 gravity)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    const double g[3] = {(double)gravity.x, (double)gravity.y, (double)gravity.z};
    if (!firn_world_gravity_is_valid(g))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "a gravity of (%g, %g, %g) m/s^2 is out of range: components are -%g to "
                         "%g m/s^2",
                         g[0], g[1], g[2], GRAVITY_MOST, GRAVITY_MOST);
    firn_world_put_gravity(sim, g);
    return firn_sim_colliders_changed(sim);
}

firn_vec3 firn_sim_gravity(const firn_sim* sim)
{
    if (sim == NULL) return firn_v3(0, 0, 0);
    const double* g = sim->scene.gravity;
    return firn_v3((firn_real)g[0], (firn_real)g[1], (firn_real)g[2]);
}

firn_result firn_sim_set_wind(firn_sim* sim, firn_vec3 velocity)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    const double v[3] = {(double)velocity.x, (double)velocity.y, (double)velocity.z};
    if (!sim->solver->drags) {
        char others[64];
        firn_solver_names_with(offsetof(firn_solver, drags), others, sizeof others);
        return firn_fail(&sim->error, FIRN_REFUSED_NAME, "solver '%s' has no wind: use %s",
                         sim->solver->name, others);
    }
    if (!firn_world_wind_is_valid(v))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "a wind of (%g, %g, %g) m/s is out of range: components are -%g to %g m/s",
                         v[0], v[1], v[2], WIND_MOST, WIND_MOST);
    const firn_air_block before = sim->scene.air;
    const bool was_set = sim->wind_set;
    firn_world_put_wind(sim, v);
    const firn_result r = firn_sim_colliders_changed(sim);
    if (r != FIRN_REFUSED_BACKEND) return r;
    sim->scene.air = before;  // the solver has no wind on this device
    sim->wind_set = was_set;
    return r;
}

firn_vec3 firn_sim_wind(const firn_sim* sim)
{
    if (sim == NULL || !sim->scene.air.active) return firn_v3(0, 0, 0);
    const double* v = sim->scene.air.velocity;
    return firn_v3((firn_real)v[0], (firn_real)v[1], (firn_real)v[2]);
}
