// SPDX-License-Identifier: MIT
// The two tables of solvers say the same, and every solver fills what sim calls without looking.
#include "firn_test.h"
#include "scene/parse/keys.h"
#include "solver/solver.h"

static void tables_agree(void** state)
{
    (void)state;
    for (size_t k = 0; k < firn_solver_count; k++) {
        assert_string_equal(firn_solvers[k]->name, firn_scene_solvers[k].name);
        assert_ptr_equal(firn_solvers[k]->keys, firn_scene_solvers[k].keys);
        assert_string_equal(firn_solvers[k]->name, firn_solvers[k]->keys->name);
    }
}

static void nothing_is_missing(void** state)
{
    (void)state;
    for (size_t k = 0; k < firn_solver_count; k++) {
        const firn_solver* s = firn_solvers[k];
        assert_non_null(s->help);
        assert_non_null(s->backends);
        assert_non_null(s->deterministic);
        assert_in_range(s->stage_count, 1, FIRN_STAGES_MAX);
        for (int n = 0; n < s->stage_count; n++) assert_non_null(s->stage_names[n]);
        assert_non_null(s->check);
        assert_non_null(s->estimate);
        assert_non_null(s->create);
        assert_non_null(s->destroy);
        assert_non_null(s->step);
        assert_non_null(s->density);
        assert_non_null(s->extra_size);
        assert_non_null(s->extra_save);
        assert_non_null(s->extra_restore);
    }
}

static void names_by_property(void** state)
{
    (void)state;
    char names[64], brief[8];
    firn_solver_names_with(offsetof(firn_solver, heats), names, sizeof names);
    assert_string_equal(names, "sph or grains");
    firn_solver_names_with(offsetof(firn_solver, free_bodies), names, sizeof names);
    assert_string_equal(names, "mpm or sph or grains");
    firn_solver_names_with(offsetof(firn_solver, heats), brief, sizeof brief);
    assert_string_equal(brief, "sph or ");  // cut, not overrun
}

int test_registry(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_agree),
        cmocka_unit_test(nothing_is_missing),
        cmocka_unit_test(names_by_property),
    };
    return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
