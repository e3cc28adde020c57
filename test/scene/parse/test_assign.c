// SPDX-License-Identifier: MIT
// Setting keys of a scene that was built from code.
#include "scene/scene_fixture.h"

static firn_result assign(firn_scene_data* scene, const char* key, const char* value,
                          firn_diagnostics* d)
{
    return firn_scene_assign(scene, toy_solvers, 2, key, value, d);
}

static void test_assign_sets(void** state)
{
    (void)state;
    firn_scene_data s;
    firn_scene_data_init(&s);
    firn_diagnostics d = {0};
    assert_int_equal(assign(&s, "mpm.cell", "2 cm", &d), FIRN_OK);
    assert_equal(toy(&s)->cell, 0.02);
    assert_equal(toy(&s)->flip, 0.95);
    assert_int_equal(assign(&s, "mpm.note", "first", &d), FIRN_OK);
    assert_int_equal(assign(&s, "mpm.note", "second: \"x\"", &d), FIRN_REFUSED_ARGUMENT);
    assert_string_equal(toy(&s)->note, "first");
    firn_diagnostics_destroy(&d);
    assert_int_equal(assign(&s, "mpm.note", "\"second: x\"", &d), FIRN_OK);
    assert_string_equal(toy(&s)->note, "second: x");
    assert_equal(toy(&s)->cell, 0.02);
    assert_int_equal(assign(&s, "time.frames", "7", &d), FIRN_OK);
    assert_int_equal(s.time.frames, 7);
    assert_equal(s.time.fps, 24);
    assert_int_equal(assign(&s, "gravity", "[0, 0, 0]", &d), FIRN_OK);
    assert_equal(s.gravity[1], 0);
    assert_int_equal(assign(&s, "render.camera.eye", "[1, 2, 3]", &d), FIRN_OK);
    assert_equal(s.render.eye[1], 2);
    assert_int_equal(assign(&s, "output.checkpoint", "{every: 3}", &d), FIRN_OK);
    assert_int_equal(s.output.checkpoint_every, 3);
    assert_int_equal(s.output.checkpoint_keep, 2);
    assert_int_equal(assign(&s, "title", "A title", &d), FIRN_OK);
    assert_string_equal(s.title, "A title");
    assert_int_equal(assign(&s, "solver", "sph", &d), FIRN_OK);
    assert_int_equal(s.solver, 1);
    assert_ptr_equal(s.solver_keys, &other_block);
    assert_int_equal(assign(&s, "sph.radius", "0.5", &d), FIRN_OK);
    assert_equal(toy(&s)->cell, 0.5);
    assert_int_equal(assign(&s, "mpm.cell", "0.25", &d), FIRN_OK);  // checked, not used
    assert_equal(toy(&s)->cell, 0.5);
    assert_int_equal(d.count, 0);
    firn_scene_data_destroy(&s);
}

static void test_assign_refuses(void** state)
{
    (void)state;
    static const char* const cases[][3] = {
        {"mpm.cel", "1", "mpm.cel=1: error: unknown key 'cel' in 'mpm' (did you mean 'cell'?)"},
        {"mpm.cell", "-1", "'cell' is -1 m"},
        {"mpm.cell", "[", "flow sequence"},
        {"mpm", "{flip: 0.5, cell: -1}", "'cell' is -1 m"},
        {"time", "{frames: 5, fps: no}", "'fps' must be a number"},
        {"output", "{film: false, voxel: x}", "'voxel' must be a number"},
        {"solver", "spk", "'solver' cannot be 'spk'"},
        {"snow.0.seed", "3", "cannot be set by name"},
        {"materials.a.young", "3", "cannot be set by name"},
        {"", "3", "expected key=value"},
        {"render.width", "101", "must be even"},
    };
    firn_scene_data s;
    firn_scene_data_init(&s);
    assert_int_equal(firn_scene_use_solver(&s, toy_solvers, 0), FIRN_OK);
    const firn_time_block time = s.time;
    const firn_output_block output = s.output;
    const firn_render_block render = s.render;
    const toy_def def = *toy(&s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        firn_diagnostics d = {0};
        assert_int_equal(assign(&s, cases[i][0], cases[i][1], &d), FIRN_REFUSED_ARGUMENT);
        char* text = firn_diagnostics_text(&d);
        if (strstr(text, cases[i][2]) == NULL) print_error("%s\n%s", cases[i][2], text);
        assert_contains(text, cases[i][2]);
        firn_free(text);
        firn_diagnostics_destroy(&d);
        // The scene is as before.
        assert_memory_equal(&s.time, &time, sizeof time);
        assert_memory_equal(&s.output, &output, sizeof output);
        assert_memory_equal(&s.render, &render, sizeof render);
        assert_memory_equal(toy(&s), &def, sizeof def);
        assert_int_equal(s.solver, 0);
    }
    firn_scene_data_destroy(&s);
}

static void test_assign_without_memory(void** state)
{
    (void)state;
    firn_scene_data s;
    firn_scene_data_init(&s);
    assert_int_equal(firn_scene_use_solver(&s, toy_solvers, 0), FIRN_OK);
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    int k = 1;
    for (; result != FIRN_OK; k++) {
        firn_diagnostics d = {0};
        firn_memory_fail_at((uint64_t)k, k % 2 == 0);
        result = assign(&s, "mpm.flip", "0.5", &d);
        firn_memory_fail_at(0, false);
        firn_diagnostics_destroy(&d);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_equal(toy(&s)->flip, 0.95);
        assert_equal(firn_memory_read().bytes, before);
    }
    assert_greater(k, 5);
    assert_equal(toy(&s)->flip, 0.5);
    firn_scene_data_destroy(&s);
}

int test_assign(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_assign_sets),
                                       cmocka_unit_test(test_assign_refuses),
                                       cmocka_unit_test(test_assign_without_memory)};
    return cmocka_run_group_tests_name("assign", tests, NULL, NULL);
}
