// SPDX-License-Identifier: MIT
// Reports features of a scene that its solver does not support.
#include <stddef.h>
#include <stdio.h>

#include "geometry/collider/collider.h"
#include "scene/data/snow.h"
#include "sim/scene/scene_api.h"

// Materials that only solvers with a pressure solve can simulate.
static void check_fluids(const firn_scene_data* scene, const firn_solver* solver,
                         firn_diagnostics* diagnostics)
{
    for (firn_local m = 0; m < scene->material_count && !solver->fluids; m++) {
        const firn_material* material = &scene->materials[m];
        const bool fluid = material->snow.phase != FIRN_PHASE_SNOW;
        if (!fluid && !material->becomes.active) continue;
        char key[160], others[64];
        snprintf(key, sizeof key, "materials.%.100s.%s", material->name,
                 fluid ? "phase" : "becomes");
        firn_solver_names_with(offsetof(firn_solver, fluids), others, sizeof others);
        firn_diagnose_key(
            diagnostics, true, scene, key,
            "solver '%s' has no incompressible pressure, which %s: use %s", solver->name,
            fluid ? "fluids need" : "snow that turns into another material needs", others);
    }
}

// Keyed materials and powder.
static void check_shots(const firn_scene_data* scene, const firn_solver* solver,
                        firn_diagnostics* diagnostics)
{
    if (scene->time.first >= scene->time.frames)
        firn_diagnose_key(diagnostics, true, scene, "time.first",
                          "time.first = %lld is not before the last frame, time.frames = %lld",
                          (long long)scene->time.first, (long long)scene->time.frames);
    char key[128], others[64];
    for (firn_local m = 0; m < scene->material_count; m++)
        if (scene->materials[m].key_count > 0 && !solver->keyed) {
            snprintf(key, sizeof key, "materials.%.100s.keys", scene->materials[m].name);
            firn_solver_names_with(offsetof(firn_solver, keyed), others, sizeof others);
            firn_diagnose_key(diagnostics, true, scene, key,
                              "solver '%s' does not support materials that change over time: "
                              "remove 'keys' or use %s",
                              solver->name, others);
        }
    if (!scene->powder.active || solver->sheds) return;
    firn_solver_names_with(offsetof(firn_solver, sheds), others, sizeof others);
    firn_diagnose_key(diagnostics, true, scene, "powder",
                      "solver '%s' does not support powder: remove this block or use %s",
                      solver->name, others);
}

void firn_scene_check_solver(const firn_scene_data* scene, const firn_solver* solver,
                             firn_diagnostics* diagnostics)
{
    if (scene->emitter_count > 0 && !solver->emits)
        firn_diagnose_key(
            diagnostics, true, scene, "emitters",
            "solver '%s' does not support emitters: remove them or use another solver",
            solver->name);
    for (firn_local c = 0; c < scene->collider_count; c++)
        if (scene->colliders[c].mass > 0 && !solver->free_bodies) {
            char key[48], others[64];
            snprintf(key, sizeof key, "colliders.%d.mass", (int)c);
            firn_solver_names_with(offsetof(firn_solver, free_bodies), others, sizeof others);
            firn_diagnose_key(diagnostics, true, scene, key,
                              "solver '%s' does not support rigid bodies: remove `mass` or use %s",
                              solver->name, others);
        }
    for (firn_local m = 0; m < scene->material_count; m++)
        if (scene->materials[m].snow.cam_clay.friction > 0 && !solver->cam_clay) {
            char key[128], others[64];
            snprintf(key, sizeof key, "materials.%.100s", scene->materials[m].name);
            firn_solver_names_with(offsetof(firn_solver, cam_clay), others, sizeof others);
            firn_diagnose_key(diagnostics, true, scene, key,
                              "solver '%s' does not support Cam-Clay plasticity: remove `cam_clay` "
                              "or use %s",
                              solver->name, others);
        }
    check_fluids(scene, solver, diagnostics);
    check_shots(scene, solver, diagnostics);
    if (scene->air.active && !solver->drags && !solver->heats)
        firn_diagnose_key(diagnostics, false, scene, "air",
                          "solver '%s' does not support air: this block has no effect",
                          solver->name);
    if (scene->ageing.time_scale > 0 && !solver->ages)
        firn_diagnose_key(diagnostics, false, scene, "ageing",
                          "solver '%s' does not support ageing: this block has no effect",
                          solver->name);
    if (firn_scene_heats(scene) && !solver->heats)
        firn_diagnose_key(
            diagnostics, false, scene, "solver",
            "solver '%s' does not support heat: temperatures and 'young_at' have no effect",
            solver->name);
}
