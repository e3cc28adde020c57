// SPDX-License-Identifier: MIT
// Sets the temperature of air and colliders during a simulation, in the simulation's own copy of
// the scene, which solvers read in every step.
#include <math.h>

#include "geometry/collider/collider.h"
#include "sim/sim.h"

#define COLDEST (-273.15)  // [degC]
#define WARMEST 1e4        // [degC] as for a scene's keys

bool firn_sim_temperature_is_valid(double celsius)
{
    return celsius >= COLDEST && celsius <= WARMEST;
}

static bool has_temperature(const firn_collider* collider)
{
    return collider->temperature_of_air || !isnan(collider->temperature);
}

firn_result firn_sim_change_weather(firn_sim* sim, double celsius)
{
    firn_air_block* air = &sim->scene.air;
    if (!air->active) air->heat_transfer = FIRN_AIR_HEAT_TRANSFER;  // at rest, without drag
    air->active = true;
    air->temperature = celsius;
    air->temperature_key_count = 0;
    firn_local count = 0;
    firn_collider* own =
        sim->solver->colliders != NULL ? sim->solver->colliders(sim->self, &count) : NULL;
    for (firn_local c = 0; c < sim->scene.collider_count; c++) {
        if (!has_temperature(&sim->scene.colliders[c])) continue;
        sim->scene.colliders[c].temperature = (firn_real)celsius;
        if (c < count) own[c].temperature = (firn_real)celsius;
    }
    sim->weather_set = true;
    return firn_sim_colliders_changed(sim);
}

firn_result firn_sim_set_temperature(firn_sim* sim, double celsius)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    if (!firn_sim_temperature_is_valid(celsius))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "a temperature of %g degC is outside of %g to %g degC", celsius, COLDEST,
                         WARMEST);
    if (!sim->solver->heats) {
        char others[64];
        firn_solver_names_with(offsetof(firn_solver, heats), others, sizeof others);
        return firn_fail(&sim->error, FIRN_REFUSED_NAME,
                         "solver '%s' does not support heat: use %s", sim->solver->name, others);
    }
    if (!sim->solver->always_heats && !firn_scene_heats(&sim->scene))
        return firn_fail(&sim->error, FIRN_REFUSED_NAME,
                         "the particles have no temperature because the scene sets none: add one, "
                         "for example `air: {temperature: -5}`");
    return firn_sim_change_weather(sim, celsius);
}

double firn_sim_temperature(const firn_sim* sim)
{
    if (sim == NULL) return NAN;
    return sim->solver->heats ? firn_air_temperature(&sim->scene, sim->time) : NAN;
}
