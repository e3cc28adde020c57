// SPDX-License-Identifier: MIT
// A value that is not finite, in any field of any solver, in the middle of a frame: the frame is
// rolled back and recomputed, or the simulation stops and names particle, position and material.
// None gets into the next frame.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"
#include "sim/sim.h"

#define SCENE                                                               \
    "firn: 1\n"                                                             \
    "time: {frames: 3, fps: 500}\n"                                         \
    "mpm: {cell: 0.03, transfer: apic, dt: 0.0004, integrator: explicit}\n" \
    "sph: {spacing: 0.02, dt: 0.0005}\n"                                    \
    "grains: {radius: 0.01, dt: 0.0004}\n"                                  \
    "ballistic: {spacing: 0.02, dt: 0.0005}\n"                              \
    "snow:\n"                                                               \
    "  - shape: {box: {center: [0, 0.04, 0], size: [0.08, 0.06, 0.08]}}\n"  \
    "    vary: {compression: {noise: {scale: 0.05, amount: 0.2}}}\n"        \
    "colliders:\n"                                                          \
    "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"

static const char* const solvers[] = {"mpm", "sph", "grains", "ballistic"};

static firn_sim* start(const char* solver)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    char choice[64];
    snprintf(choice, sizeof choice, "solver=%s", solver);
    const char* overrides[2] = {choice, "air={temperature: -5}"};
    const bool heats = strcmp(solver, "sph") == 0 || strcmp(solver, "grains") == 0;
    firn_load_def load = firn_default_load_def();
    load.overrides = overrides;
    load.override_count = heats ? 2 : 1;
    if (firn_scene_load_text(scene, SCENE, "values", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    firn_sim* sim;
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    return sim;
}

static bool is_real(const firn_field* field)
{
    return field->type != FIRN_FIELD_U8 && field->type != FIRN_FIELD_U32;
}

static void all_finite(const firn_particles* p, const char* what)
{
    for (int f = 0; f < p->field_count; f++) {
        const firn_real* x = p->fields[f].data;
        const size_t n =
            is_real(&p->fields[f]) ? (size_t)p->count * p->fields[f].size / sizeof(firn_real) : 0;
        for (size_t k = 0; k < n; k++)
            if (!isfinite(x[k])) fail_msg("%s: '%s' is %g", what, p->fields[f].name, (double)x[k]);
    }
}

// Sets a value after the first step of a frame. Returns a new simulation if this one is broken.
static firn_sim* damage(firn_sim* sim, const char* solver, int field, double value)
{
    firn_particles* p = sim->solver->particles(sim->self);
    const char* name = p->fields[field].name;
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    const size_t each = p->fields[field].size / sizeof(firn_real);
    ((firn_real*)p->fields[field].data)[5 * each + each / 2] = (firn_real)value;
    char what[128];
    snprintf(what, sizeof what, "%s, %s = %g", solver, name, value);
    const firn_result r = firn_sim_frame(sim);
    if (r == FIRN_OK) {
        all_finite(p, what);
        return sim;
    }
    const char* said = firn_sim_error(sim);
    if (r != FIRN_BROKEN_DIVERGED || strstr(said, "material '") == NULL ||
        (strstr(said, "particle") == NULL && strstr(said, "grain") == NULL) ||
        strstr(said, " at (") == NULL)
        fail_msg("%s: result %d with the message: %s", what, (int)r, said);
    firn_sim_destroy(sim);
    return start(solver);
}

static void no_field_stays_damaged(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        firn_sim* sim = start(solvers[k]);
        const int count = sim->solver->particles(sim->self)->field_count;
        for (int f = 0; f < count; f++) {
            if (!is_real(&sim->solver->particles(sim->self)->fields[f])) continue;
            sim = damage(sim, solvers[k], f, f % 2 == 0 ? (double)NAN : (double)INFINITY);
        }
        firn_sim_destroy(sim);
    }
}

// J_P = inf means snow without any stiffness: no velocity becomes infinite.
static void infinite_plastic_volume_is_rolled_back(void** state)
{
    (void)state;
    firn_sim* sim = start("mpm");
    firn_particles* p = sim->solver->particles(sim->self);
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    ((firn_real*)firn_particles_find(p, "plastic_det")->data)[3] = (firn_real)INFINITY;
    const int64_t step = sim->step;
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    assert_int_equal(sim->rollbacks, 1);  // found by the very next step
    assert_true(sim->step < step);
    firn_sim_destroy(sim);
}

int test_sim_read_values(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_field_stays_damaged),
        cmocka_unit_test(infinite_plastic_volume_is_rolled_back),
    };
    return cmocka_run_group_tests_name("sim_read_values", tests, NULL, NULL);
}
