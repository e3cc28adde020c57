// SPDX-License-Identifier: MIT
// Sources: a simulation with a worker behind it and one in lockstep, what colliders dragged by
// the mouse do to the snow, and the parts of a source.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "firn_test.h"
#include "viewer/clock.h"
#include "viewer/source/live_colliders.h"
#include "viewer/source/replay_cache.h"
#include "viewer/source/source.h"
#include "viewer/source/triple_buffer.h"

#define BED FIRN_SOURCE_DIR "/test/viewer/bed.yaml"

static view_source* open_live(firn_scene** out_scene, bool lockstep)
{
    firn_error error = {0};
    view_source* source = NULL;
    assert_int_equal(firn_scene_create(out_scene), FIRN_OK);
    assert_int_equal(firn_scene_load(*out_scene, BED, NULL), FIRN_OK);
    const view_live_def def = {*out_scene, "cpu", 1, lockstep};
    if (view_source_live(&def, &source, &error) != FIRN_OK) fail_msg("%s", error.text);
    return source;
}

static void close_live(view_source* source, firn_scene* scene)
{
    source->ops->destroy(source);
    firn_scene_destroy(scene);
}

static void mean(const view_snapshot* s, double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = 0;
        for (int64_t p = 0; p < s->count; p++) out[k] += (double)s->position[p][k];
        out[k] /= (double)s->count;
    }
}

static void what_a_scene_shows(void** state)
{
    (void)state;
    firn_scene* scene;
    view_source* source = open_live(&scene, true);
    const view_snapshot* now = source->ops->latest(source);
    assert_true(source->is_live);
    assert_greater(now->count, 1000);
    assert_string_equal(source->solver, "mpm");
    assert_greater(source->view.spacing, 0);
    assert_int_equal(now->collider_count, 3);
    assert_int_equal(source->ball, 1);
    assert_int_equal(source->plow, 2);
    assert_less(now->colliders[1].info.pose.position.y, -100);  // parked
    assert_false(now->colliders[0].info.bounded);
    // [m] a bed of 0.16 m: half a cell of 0.04 m below, one above
    assert_greater(now->low[1], -0.02);
    assert_less(now->high[1], 0.2);
    assert_true(view_source_has_field(source, "velocity"));
    assert_true(view_source_has_field(source, "density"));
    assert_false(view_source_has_field(source, "def_grad_elastic"));
    close_live(source, scene);
}

// The same result after a restart.
static void lockstep_repeats_itself(void** state)
{
    (void)state;
    firn_scene* scene;
    double first[3], again[3];
    view_source* source = open_live(&scene, true);
    source->ops->colour(source, "density");
    source->ops->play(source, true, 2);
    source->ops->advance(source, 0.02);
    const view_snapshot* now = source->ops->latest(source);
    assert_near(now->time, 0.04, 0.005);  // twice as fast, in whole steps
    // kg/m^3, as the grid sees them: less at the edges than the 150 inside
    assert_true(now->has_value);
    assert_greater(now->value_low, 20);
    assert_greater(now->value_high, 120);
    assert_less(now->value_high, 220);
    mean(now, first);
    source->ops->restart(source);
    source->ops->advance(source, 0.02);
    mean(source->ops->latest(source), again);
    assert_memory_equal(first, again, sizeof first);
    source->ops->play(source, false, 1);
    const double stood = source->ops->latest(source)->time;
    source->ops->advance(source, 0.02);
    assert_equal(source->ops->latest(source)->time, stood);
    source->ops->step(source, 2);
    source->ops->advance(source, 0.02);
    assert_greater(source->ops->latest(source)->time, stood);
    close_live(source, scene);
}

static void a_ball_pushes_the_snow(void** state)
{
    (void)state;
    firn_scene* scene;
    double before[3], after[3];
    view_source* source = open_live(&scene, true);
    source->ops->play(source, true, 1);
    source->ops->advance(source, 0.01);
    mean(source->ops->latest(source), before);
    source->ops->place(source, source->ball, (view_vec){-0.55, 0.11, 0}, 0, 0.2);
    source->ops->pull(source, source->ball, &(view_pull){.target = {0.1, 0.11, 0}, .speed_max = 2});
    double fastest = 0;
    for (int k = 0; k < 16; k++) {
        source->ops->advance(source, 1.0 / 30);
        fastest = fmax(fastest, source->ops->latest(source)->colliders[1].info.pose.velocity.x);
    }
    const view_snapshot* now = source->ops->latest(source);
    mean(now, after);
    const firn_body_info* ball = &now->colliders[source->ball].info;
    assert_near(ball->pose.position.x, 0.1, 0.1);  // within its radius: it slows down to arrive
    assert_at_most(fastest, 2.0001);               // speed_max, but for floats
    assert_greater(fastest, 0.5);
    assert_greater(after[0], before[0] + 0.01);  // dragged along
    assert_near(after[2], before[2], 0.01);      // not sideways, by symmetry
    for (int64_t p = 0; p < now->count; p++) {   // and none of it is inside
        const float* x = now->position[p];
        const double d = hypot(
            hypot((double)x[0] - (double)ball->pose.position.x, (double)x[1] - 0.11), (double)x[2]);
        assert_greater(
            d,
            0.07);  // [m] the radius of 0.1 less three quarters of a cell: grid contact is soft
    }
    close_live(source, scene);
}

static double wait_for_time(view_source* source, double time)
{
    const double begin = view_clock();
    const struct timespec pause = {.tv_nsec = 5000000};
    while (source->ops->latest(source)->time < time && view_clock() - begin < 60)
        nanosleep(&pause, NULL);
    return source->ops->latest(source)->time;
}

// The worker computes in the background, pauses and ends on request.
static void a_worker_goes_on_by_itself(void** state)
{
    (void)state;
    firn_scene* scene;
    firn_error error;
    view_source* source = open_live(&scene, false);
    const uint64_t version = source->ops->latest(source)->version;
    source->ops->play(source, true, 1);
    assert_at_least(wait_for_time(source, 0.02), 0.02);
    assert_greater(source->ops->latest(source)->version, version);
    source->ops->place(source, source->ball, (view_vec){0, 1, 0}, 0, 0.1);
    source->ops->play(source, false, 1);
    source->ops->restart(source);
    const double begin = view_clock();
    while (source->ops->latest(source)->time > 0 && view_clock() - begin < 60) continue;
    assert_equal(source->ops->latest(source)->time, 0);
    assert_less(source->ops->latest(source)->colliders[1].info.pose.position.y, -100);
    assert_false(source->ops->failed(source, &error));
    close_live(source, scene);
}

// Particles are drawn by the look of their material: 0 snow, 1 ice, 2 water.
static void materials_have_looks(void** state)
{
    (void)state;
    const char* kinds[] = {"snow", "ice", "water", "chocolate", "soft-ice"};
    for (int k = 0; k < 5; k++) {
        firn_scene* scene;
        firn_error error = {0};
        view_source* source = NULL;
        assert_int_equal(firn_scene_create(&scene), FIRN_OK);
        char override[64];
        snprintf(override, sizeof override, "materials.loose.look.kind=%s", kinds[k]);
        firn_load_def load = firn_default_load_def();
        load.overrides = &(const char*){override};
        load.override_count = 1;
        assert_int_equal(firn_scene_load(scene, BED, &load), FIRN_OK);
        const view_live_def def = {scene, "cpu", 1, true};
        if (view_source_live(&def, &source, &error) != FIRN_OK) fail_msg("%s", error.text);
        const view_snapshot* s = source->ops->latest(source);
        assert_true(s->count > 0);
        assert_int_equal(s->has_phase, k > 0);
        for (int64_t p = 0; p < s->count && k > 0; p++) assert_int_equal(s->phase[p], k);
        close_live(source, scene);
    }
}

// ---- a run --------------------------------------------------------------------------------------

static void write_run(const char* dir)
{
    firn_scene* scene;
    firn_sim* sim;
    firn_error error = {0};
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_scene_load(scene, BED, NULL), FIRN_OK);
    assert_int_equal(firn_scene_set(scene, "output.preview", "false"), FIRN_OK);
    assert_int_equal(firn_scene_set(scene, "output.film", "false"), FIRN_OK);
    assert_int_equal(firn_scene_set(scene, "time.fps", "200"), FIRN_OK);
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.output_dir = dir;
    def.overwrite = true;
    def.frame_end = 5;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_int_equal(firn_sim_run(sim), FIRN_OK);
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
}

static int64_t wait_for_frame(view_source* source, int64_t frame, const char* field)
{
    const double begin = view_clock();
    const struct timespec pause = {.tv_nsec = 2000000};
    for (;;) {
        const view_snapshot* now = source->ops->latest(source);
        const bool there = now->frame == frame && strcmp(now->value_name, field) == 0;
        if (there || view_clock() - begin > 60) return there ? now->frame : -1;
        nanosleep(&pause, NULL);
    }
}

// Frames by a worker: played to the last, sought, stepped, coloured.
static void a_run_plays(void** state)
{
    (void)state;
    firn_error error = {0};
    view_source* source;
    const int64_t* frames;
    write_run(FIRN_TEST_TMP "/run");
    if (view_source_replay(FIRN_TEST_TMP "/run", false, &source, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    assert_false(source->is_live);
    assert_int_equal(source->ops->frames(source, &frames), 6);
    assert_int_equal(source->ops->latest(source)->frame, 0);
    source->ops->play(source, true, 1);
    assert_int_equal(wait_for_frame(source, 5, ""), 5);
    assert_near(source->ops->latest(source)->time, 5 / 200.0, 1e-9);  // [s] in double
    source->ops->play(source, false, 1);
    source->ops->seek(source, 2);
    assert_int_equal(wait_for_frame(source, 2, ""), 2);
    source->ops->step(source, 1);
    assert_int_equal(wait_for_frame(source, 3, ""), 3);
    source->ops->step(source, -9);
    assert_int_equal(wait_for_frame(source, 0, ""), 0);
    assert_true(view_source_has_field(source, "velocity"));
    source->ops->colour(source, "velocity");
    assert_int_equal(wait_for_frame(source, 0, "velocity"), 0);
    source->ops->seek(source, 4);
    assert_int_equal(wait_for_frame(source, 4, "velocity"), 4);
    assert_greater(source->ops->latest(source)->value_high, 0);
    assert_false(source->ops->failed(source, &error));
    source->ops->destroy(source);
}

static void no_run_is_refused(void** state)
{
    (void)state;
    firn_error error = {0};
    view_source* source = NULL;
    assert_greater(view_source_replay(FIRN_TEST_TMP "/nothing", true, &source, &error), 0);
    assert_contains(error.text, "nothing");
    assert_null(source);
}

// ---- parts --------------------------------------------------------------------------------------

// Three snapshots: the newest is taken, none is torn, and the one in use is not overwritten.
static void exchange_keeps_what_is_drawn(void** state)
{
    (void)state;
    view_triple_buffer e = view_triple_buffer_init();
    for (int k = 1; k <= 3; k++) {
        e.snapshots[e.back].time = k;
        view_triple_buffer_publish(&e);
    }
    const view_snapshot* front = view_triple_buffer_latest(&e);
    assert_equal(front->time, 3);
    assert_equal(front->version, 3);
    for (int k = 4; k <= 6; k++) {
        assert_not_equal(&e.snapshots[e.back], front);
        e.snapshots[e.back].time = k;
        view_triple_buffer_publish(&e);
    }
    assert_equal(front->time, 3);
    assert_equal(view_triple_buffer_latest(&e)->time, 6);
    assert_equal(view_triple_buffer_latest(&e)->time, 6);
    view_triple_buffer_free(&e);
}

static void the_cache_forgets_what_is_oldest(void** state)
{
    (void)state;
    static view_cache c;
    view_cache_begin(&c);
    for (int k = 0; k < VIEW_CACHE_FEWEST; k++) view_cache_claim(&c, 10 * k, "")->busy = false;
    c.front = view_cache_nearest(&c, 1, "");  // frame 0, the first that was read, is being drawn
    assert_int_equal(c.slots[c.front].frame, 0);
    view_cache_claim(&c, 99, "")->busy = false;
    assert_non_null(view_cache_find(&c, 0, ""));
    assert_null(view_cache_find(&c, 10, ""));  // so the one after it went
    assert_null(view_cache_find(&c, 0, "velocity"));
    view_cache_find(&c, 99, "")->bad = true;
    assert_int_equal(c.slots[view_cache_nearest(&c, 1000, "")].frame, 30);
    assert_int_equal(view_cache_nearest(&c, 0, "velocity"), -1);
    view_cache_set_room(&c, 1);
    assert_int_equal(c.room, VIEW_CACHE_SLOTS);
    view_cache_set_room(&c, VIEW_CACHE_BYTES);
    assert_int_equal(c.room, VIEW_CACHE_FEWEST);
}

int test_view_source(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_scene_shows),
        cmocka_unit_test(lockstep_repeats_itself),
        cmocka_unit_test(a_ball_pushes_the_snow),
        cmocka_unit_test(a_worker_goes_on_by_itself),
        cmocka_unit_test(materials_have_looks),
        cmocka_unit_test(a_run_plays),
        cmocka_unit_test(no_run_is_refused),
        cmocka_unit_test(exchange_keeps_what_is_drawn),
        cmocka_unit_test(the_cache_forgets_what_is_oldest),
    };
    return cmocka_run_group_tests_name("view_source", tests, NULL, NULL);
}
