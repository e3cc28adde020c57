// SPDX-License-Identifier: MIT
// firn_last_error: the sentence of the last call of this thread, the same as in the other channels.
#include <pthread.h>
#include <string.h>

#include "collider_at.h"
#include "firn/firn.h"
#include "firn_test.h"

static const char yaml[] =
    "firn: 1\n"
    "time: {frames: 2}\n"
    "mpm: {cell: 0.1}\n"
    "snow:\n  - shape: {sphere: {center: [0, 1, 0], radius: 0.2}}\n"
    "colliders:\n  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n";

static void assert_says(const char* sentence)
{
    if (strstr(firn_last_error(), sentence) == NULL)
        fail_msg("'%s' is not in: %s", sentence, firn_last_error());
}

static firn_scene* load(void)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_scene_load_text(scene, yaml, "error", NULL), FIRN_OK);
    return scene;
}

static firn_sim* start(void)
{
    firn_sim* sim;
    firn_scene* scene = load();
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    assert_int_equal(firn_sim_create(scene, &def, &sim, NULL), FIRN_OK);
    assert_string_equal(firn_last_error(), "");
    firn_scene_destroy(scene);
    return sim;
}

static void scenes(void** state)
{
    (void)state;
    firn_scene* scene = load();
    firn_shape_id shape;
    assert_int_equal(firn_scene_sphere(scene, (firn_vec3){0, 0, 0}, -1, &shape),
                     FIRN_REFUSED_ARGUMENT);
    assert_string_not_equal(firn_last_error(), "");
    assert_non_null(strstr(firn_scene_messages(scene), firn_last_error()));
    assert_int_equal(firn_scene_sphere(scene, (firn_vec3){0, 0, 0}, 1, &shape), FIRN_OK);
    assert_string_equal(firn_last_error(), "");
    assert_true(firn_scene_set(scene, "mpm.cel", "0.1") > 0);
    assert_says("mpm.cel");
    assert_true(firn_scene_load_text(scene, "firn: 1\nsnwo: []\n", "typo", NULL) > 0);
    assert_says("snwo");
    assert_true(firn_scene_load(scene, "no-such-scene-at-all", NULL) > 0);
    assert_says("no-such-scene-at-all");
    firn_scene_info info;
    assert_int_equal(firn_scene_check(scene, 1, &info), FIRN_OK);
    assert_string_equal(firn_last_error(), "");
    firn_scene_destroy(scene);
    assert_int_equal(firn_scene_load(NULL, "snow", NULL), FIRN_REFUSED_ARGUMENT);
    assert_says("firn_scene_load:");
}

// In a simulation, and where the caller passes a firn_error or none.
static void simulations(void** state)
{
    (void)state;
    firn_sim* sim = start();
    firn_field_view view;
    assert_int_equal(firn_sim_field(sim, "positon", &view), FIRN_REFUSED_NAME);
    assert_says("did you mean 'position'?");
    assert_string_equal(firn_last_error(), firn_sim_error(sim));
    assert_int_equal(firn_sim_field(sim, "position", &view), FIRN_OK);
    assert_string_equal(firn_last_error(), "");
    assert_int_equal(firn_sim_field(sim, NULL, &view), FIRN_REFUSED_ARGUMENT);
    assert_says("firn_sim_field:");
    assert_string_equal(firn_last_error(), firn_sim_error(sim));
    assert_int_equal(firn_sim_field_at(sim, 1000, &view), FIRN_REFUSED_ARGUMENT);
    assert_says("no field 1000");
    firn_body_info info;
    assert_int_equal(firn_sim_body(sim, collider_at(sim, 3), &info), FIRN_REFUSED_ARGUMENT);
    assert_says("no collider 3");
    assert_int_equal(firn_sim_body(sim, collider_at(sim, 0), NULL), FIRN_REFUSED_ARGUMENT);
    assert_says("firn_sim_body:");  // not firn_sim_body_sized
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    assert_string_equal(firn_last_error(), "");
    firn_error error;
    firn_cache_info cache;
    assert_int_equal(firn_cache_read("no/such/run", false, &cache, &error), FIRN_REFUSED_NAME);
    assert_string_equal(firn_last_error(), error.text);
    assert_int_equal(firn_cache_read("no/other/run", false, &cache, NULL), FIRN_REFUSED_NAME);
    assert_says("no/other/run");
    firn_bench_def bench = firn_default_bench_def();
    firn_bench_row* rows;
    int count;
    bench.solver = "ballistc";
    assert_int_equal(firn_bench(&bench, &rows, &count, NULL), FIRN_REFUSED_NAME);
    assert_says("ballistc");
    firn_sim_destroy(sim);
}

static void* fail_elsewhere(void* sim)
{
    firn_field_view view;
    const bool was_empty = firn_last_error()[0] == '\0';
    const firn_result r = firn_sim_field(sim, "elsewhere", &view);
    const bool ok = was_empty && r == FIRN_REFUSED_NAME && strstr(firn_last_error(), "elsewhere");
    return ok ? sim : NULL;
}

static void each_thread_has_its_own(void** state)
{
    (void)state;
    firn_sim *here = start(), *there = start();
    firn_field_view view;
    assert_int_equal(firn_sim_field(here, "here", &view), FIRN_REFUSED_NAME);
    pthread_t thread;
    void* answer;
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, there), 0);
    assert_int_equal(pthread_join(thread, &answer), 0);
    assert_ptr_equal(answer, there);
    assert_says("'here'");
    firn_sim_destroy(here);
    firn_sim_destroy(there);
}

int test_sim_last_error(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes),
        cmocka_unit_test(simulations),
        cmocka_unit_test(each_thread_has_its_own),
    };
    return cmocka_run_group_tests_name("sim_last_error", tests, NULL, NULL);
}
