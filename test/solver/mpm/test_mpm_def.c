// SPDX-License-Identifier: MIT
// The `mpm` block of a scene: its checks against what the kind of spline allows, and the estimate.
#include "firn/firn.h"
#include "scene/parse/diagnostics.h"
#include "solver/mpm/support/mpm_solver.h"
#include "solver/mpm/world.h"
#include "splines.h"

// What the checks say of the world's scene: warnings and errors.
typedef struct verdict {
    int warnings, errors;
} verdict;

static verdict check(const world* w)
{
    firn_diagnostics d = {0};
    firn_mpm_check(&w->scene, &d);
    const verdict out = {d.count - d.error_count, d.error_count};
    firn_diagnostics_destroy(&d);
    return out;
}

static const double crossing = 0.01 / 19.7202659;  // [s] h/c of the world's snow

// Steps that corners do not stand are warned of, those that nothing stands are refused.
static void explicit_steps(void** state)
{
    const bool quadratic = spline_of(state) == FIRN_SPLINE_QUADRATIC;
    const double corner = quadratic ? 0.5625 : 0.75, inside = quadratic ? 0.76 : 1.07;
    const double steps[] = {0, 0.99 * corner, 1.01 * corner, 0.99 * inside, 1.01 * inside};
    const verdict expected[] = {{0, 0}, {0, 0}, {1, 0}, {1, 0}, {0, 1}};
    world* w = world_create(0.01);
    w->def.spline = spline_of(state);
    for (int k = 0; k < 5; k++) {
        w->def.dt = steps[k] * crossing;
        const verdict v = check(w);
        assert_int_equal(v.warnings, expected[k].warnings);
        assert_int_equal(v.errors, expected[k].errors);
    }
    w->def.integrator = FIRN_MPM_SEMI_IMPLICIT;
    assert_int_equal(check(w).errors, 0);
    world_destroy(w);
}

static void keys_without_effect(void** state)
{
    (void)state;
    world* w = world_create(0.01);
    w->def.transfer = FIRN_MPM_APIC;
    assert_int_equal(check(w).warnings, 0);
    w->def.flip = 0.5;
    assert_int_equal(check(w).warnings, 1);
    w->def.integrator = FIRN_MPM_SEMI_IMPLICIT;
    w->def.beta = 0.4;  // stable only for small steps
    assert_int_equal(check(w).warnings, 2);
    world_destroy(w);
}

// A fracture energy that cells cannot resolve is warned of.
static void fracture_energy(void** state)
{
    (void)state;
    world* w = world_create(0.01);
    w->material.snow.fracture_energy = 1;
    assert_int_equal(check(w).warnings, 0);
    w->material.snow.fracture_energy = (firn_real)0.49;  // 1.12 h sigma_t theta_s^(2/3) = 0.5006
    assert_int_equal(check(w).warnings, 1);
    w->material.snow.fracture_energy = (firn_real)0.51;
    assert_int_equal(check(w).warnings, 0);
    world_destroy(w);
}

// What a run is expected to take knows of the shorter steps.
static void estimates(void** state)
{
    (void)state;
    world* w = world_create(0.01);
    const double cubic = firn_mpm_estimate(&w->scene).dt;
    w->def.spline = FIRN_SPLINE_QUADRATIC;
    assert_near(firn_mpm_estimate(&w->scene).dt / cubic, 0.75, 1e-12);  // in double
    world_destroy(w);
}

// By its name in a scene; a wrong name is refused.
static void names(void** state)
{
    (void)state;
    firn_scene* scene = NULL;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_scene_set(scene, "mpm.spline", "quadratic"), FIRN_OK);
    assert_int_equal(firn_scene_set(scene, "mpm.spline", "cubic"), FIRN_OK);
    assert_greater(firn_scene_set(scene, "mpm.spline", "quartic"), 0);
    assert_int_equal(firn_scene_set(scene, "mpm.volumes", "grid"), FIRN_OK);
    assert_int_equal(firn_scene_set(scene, "mpm.volumes", "exact"), FIRN_OK);
    assert_greater(firn_scene_set(scene, "mpm.volumes", "mass"), 0);
    firn_scene_destroy(scene);
}

int test_mpm_def(void)
{
    const struct CMUnitTest tests[] = {
        EACH_SPLINE(explicit_steps), cmocka_unit_test(keys_without_effect),
        cmocka_unit_test(fracture_energy), cmocka_unit_test(estimates), cmocka_unit_test(names)};
    return cmocka_run_group_tests_name("mpm_def", tests, NULL, NULL);
}
