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

// Contact at the surface is refused where a solve would undo it.
static void contact_at_the_surface(void** state)
{
    (void)state;
    world* w = world_create(0.01);
    w->def.contact = FIRN_MPM_CONTACT_SURFACE;
    assert_int_equal(check(w).errors, 0);
    const int others[] = {FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_AUTO};
    for (int k = 0; k < 2; k++) {
        w->def.integrator = others[k];
        w->def.beta = 1;
        assert_int_equal(check(w).errors, 1);
        w->def.beta = 0;
        assert_int_equal(check(w).errors, 0);
    }
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

// Time scales at which snow would fall instead of settling are warned of, and those without effect.
static void ageing(void** state)
{
    (void)state;
    static const char text[] =
        "firn: 1\n"
        "solver: mpm\n"
        "mpm: {cell: 0.02}\n"
        "render: {camera: {eye: [0, 1, 2], look_at: [0, 0, 0]}}\n"
        "materials: {new: {measured: {density: 100, temperature: -5}}}\n"
        "snow:\n"
        "  - {shape: {box: {center: [0, 0.1, 0], size: [0.2, 0.2, 0.2]}}, material: new}\n"
        "colliders: [{shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}}]\n";
    // 196 Pa on 5.01e7 Pa s and 0.2 m: 0.01 g of inertia at a scale of 1.79e5
    const struct {
        const char* overrides[3];
        int warnings;
        const char* message;
    } cases[] = {
        {{"ageing.time_scale=0", "solver=mpm", "time.frames=1"}, 0, ""},
        {{"ageing.time_scale=1.75e5", "solver=mpm", "time.frames=1"}, 0, ""},
        {{"ageing.time_scale=1.85e5", "solver=mpm", "time.frames=1"}, 1, "1.8e+05"},
        {{"ageing.time_scale=10", "materials.new.measured.density=500", "time.fps=10"}, 0, ""},
        {{"ageing.time_scale=10", "materials.new.viscosity=0", "time.fps=10"}, 0, ""},
        {{"ageing.time_scale=10", "materials.new.viscosity=0", "materials.new.sintering_time=0"},
         1,
         "no material has a 'viscosity'"},
        {{"ageing.time_scale=10", "solver=sph", "time.frames=1"}, 1, "does not support ageing"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        firn_scene* scene = NULL;
        assert_int_equal(firn_scene_create(&scene), FIRN_OK);
        firn_load_def load = firn_default_load_def();
        load.overrides = cases[k].overrides;
        load.override_count = 3;
        if (firn_scene_load_text(scene, text, "ageing", &load) != FIRN_OK)
            fail_msg("case %d: %s", (int)k, firn_scene_messages(scene));
        firn_scene_info info;
        assert_int_equal(firn_scene_check(scene, 1, &info), FIRN_OK);
        if (firn_scene_warning_count(scene) != cases[k].warnings ||
            strstr(firn_scene_messages(scene), cases[k].message) == NULL)
            fail_msg("case %d: %s", (int)k, firn_scene_messages(scene));
        firn_scene_destroy(scene);
    }
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
    const struct CMUnitTest tests[] = {EACH_SPLINE(explicit_steps),
                                       cmocka_unit_test(keys_without_effect),
                                       cmocka_unit_test(contact_at_the_surface),
                                       cmocka_unit_test(fracture_energy),
                                       cmocka_unit_test(ageing),
                                       cmocka_unit_test(estimates),
                                       cmocka_unit_test(names)};
    return cmocka_run_group_tests_name("mpm_def", tests, NULL, NULL);
}
