// SPDX-License-Identifier: MIT
// firn_render through the public interface: what its def must be, progress, a way out, summary.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "firn/firn.h"
#include "firn_test.h"

#define DIR FIRN_TEST_TMP "/run"
#define OUT FIRN_TEST_TMP "/out"

static const char scene_text[] =
    "firn: 1\n"
    "solver: ballistic\n"
    "time: {frames: 3, fps: 24}\n"
    "snow:\n"
    "  - shape: {sphere: {center: [0, 0.06, 0], radius: 0.05}}\n"
    "    particles_per_cell: 1\n"
    "colliders:\n"
    "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
    "output: {preview: false, film: false}\n"
    "render: {camera: {eye: [0.5, 0.3, 0.6], look_at: [0, 0.05, 0]}, width: 32, height: 18,\n"
    "         samples: 2}\n";

static bool make_run_of(const char* dir, const char* override)
{
    firn_load_def load = firn_default_load_def();
    load.overrides = &override;
    load.override_count = override != NULL;
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.output_dir = dir;
    const bool good = firn_scene_create(&scene) == FIRN_OK &&
                      firn_scene_load_text(scene, scene_text, "ball", &load) == FIRN_OK &&
                      firn_sim_create(scene, &def, &sim, NULL) == FIRN_OK &&
                      firn_sim_run(sim) == FIRN_OK;
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return good;
}

static int make_run(void** state)
{
    (void)state;
    return make_run_of(DIR, NULL) ? 0 : 1;
}

// What the callbacks received.
typedef struct listener {
    int calls, done;
    int stop_after;  // calls; 0: never
    firn_render_progress last;
    char log[400];
} listener;

static void on_progress(void* user, const firn_render_progress* progress)
{
    listener* l = user;
    l->calls++;
    l->done += progress->picture_done;
    if (progress->picture_done) {
        assert_non_null(progress->picture_path);
        assert_int_equal(access(progress->picture_path, F_OK), 0);
    }
    assert_at_least(progress->done, 0);
    assert_at_most(progress->done, progress->wanted);
    assert_at_most(progress->passes, progress->passes_max);
    l->last = *progress;
}

static bool on_cancelled(void* user)
{
    const listener* l = user;
    return l->stop_after > 0 && l->calls >= l->stop_after;
}

static void on_log(void* user, firn_log_level level, const char* id, const char* text)
{
    listener* l = user;
    (void)level;
    snprintf(l->log, sizeof l->log, "%s: %s", id, text);
}

static firn_render_def def_of(listener* l, const char* out)
{
    firn_render_def def = firn_default_render_def();
    def.input_dir = DIR;
    def.output_dir = out;
    def.threads = 1;
    def.film = false;
    def.log = on_log;
    def.progress = on_progress;
    def.cancelled = on_cancelled;
    def.user = l;
    return def;
}

static void check_refused(const firn_render_def* def, firn_result want, const char* words)
{
    firn_render_summary summary;
    firn_error error = {0};
    memset(&summary, 1, sizeof summary);
    const uint64_t in_use = firn_memory_read().bytes;
    assert_int_equal(firn_render(def, &summary, &error), want);
    assert_int_equal(error.code, want);
    if (strstr(error.text, words) == NULL) fail_msg("'%s' is not in: %s", words, error.text);
    assert_int_equal(summary.pictures, 0);
    assert_int_equal(summary.first[0], 0);
    assert_int_equal(firn_memory_read().bytes, in_use);
}

static void wrong_defs(void** state)
{
    (void)state;
    listener l = {0};
    check_refused(NULL, FIRN_REFUSED_ARGUMENT, "firn_default_render_def");
    firn_render_def def = {.input_dir = DIR};
    check_refused(&def, FIRN_REFUSED_ARGUMENT, "firn_default_render_def");
    def = firn_default_render_def();
    check_refused(&def, FIRN_REFUSED_ARGUMENT, "input_dir");
    def = def_of(&l, OUT);
    def.resume = def.overwrite = true;
    check_refused(&def, FIRN_REFUSED_ARGUMENT, "not both");
    def = def_of(&l, OUT);
    def.frame_step = 0;
    check_refused(&def, FIRN_REFUSED_ARGUMENT, "not 0 and 0");
    def = def_of(&l, OUT);
    def.frame_begin = -1;
    check_refused(&def, FIRN_REFUSED_ARGUMENT, "not -1 and 1");
    def = def_of(&l, OUT);
    def.frame_begin = 2;
    def.frame_end = 1;
    check_refused(&def, FIRN_REFUSED_ARGUMENT, "from 2 to 1");
    def = def_of(&l, OUT);
    def.threads = -1;
    check_refused(&def, FIRN_REFUSED_ARGUMENT, "threads = -1");
    def = def_of(&l, OUT);
    def.override_count = 1;
    check_refused(&def, FIRN_REFUSED_ARGUMENT, "both a list and its number");
    def = def_of(&l, OUT);
    def.frames = &def.frame_begin;
    check_refused(&def, FIRN_REFUSED_ARGUMENT, "both a list and its number");
    def = def_of(&l, OUT);
    def.input_dir = FIRN_TEST_TMP "/none";
    check_refused(&def, FIRN_REFUSED_NAME, "none");
    def.follow = true;
    check_refused(&def, FIRN_REFUSED_NAME, "none");
    def = def_of(&l, OUT);
    const int64_t far = 7;
    def.frames = &far;
    def.frame_count = 1;
    check_refused(&def, FIRN_REFUSED_NAME, "no frame 7");
    def = def_of(&l, OUT);
    const char* solver = "ballistic.cell=1";
    def.overrides = &solver;
    def.override_count = 1;
    check_refused(&def, FIRN_REFUSED_ARGUMENT, "ballistic.cell=1");
    assert_int_equal(l.calls, 0);
    assert_int_not_equal(access(OUT, F_OK), 0);
}

static void pictures_and_progress(void** state)
{
    (void)state;
    listener l = {0};
    firn_render_def def = def_of(&l, FIRN_TEST_TMP "/all");
    firn_render_summary summary;
    firn_error error = {0};
    if (firn_render(&def, &summary, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_int_equal(l.done, 4);
    assert_at_least(l.calls, 8);
    assert_true(l.last.picture_done);
    assert_equal(l.last.done, 4);
    assert_equal(l.last.wanted, 4);
    assert_int_equal(l.last.frame, 3);
    assert_int_equal(summary.pictures, 4);
    assert_int_equal(summary.paths, 4 * 32 * 18 * 2);
    assert_string_equal(summary.first, FIRN_TEST_TMP "/all/ball.0000.png");
    assert_string_equal(summary.film, "");
    assert_at_least(summary.seconds, summary.trace_seconds);
    assert_greater(summary.trace_seconds, 0);
    assert_int_equal(access(FIRN_TEST_TMP "/all/ball.0003.exr", F_OK), 0);
    check_refused(&def, FIRN_REFUSED_ARGUMENT, "ball.0000.png' is already there");
    def.resume = true;
    assert_int_equal(firn_render(&def, &summary, &error), FIRN_OK);
    assert_equal(summary.pictures, 0);
    assert_equal(summary.skipped, 4);
    const char* more = "render.samples=3";
    def.overrides = &more;
    def.override_count = 1;
    check_refused(&def, FIRN_REFUSED_ARGUMENT, "render.samples was 2 and is 3");
    assert_string_equal(l.log, "");
}

// Stopped in the second picture: the first is there, of the second nothing; then all.
static void a_way_out(void** state)
{
    (void)state;
    listener l = {0};
    firn_render_def def = def_of(&l, FIRN_TEST_TMP "/cut");
    firn_render_summary summary;
    firn_error error = {0};
    def.frame_end = 0;
    assert_int_equal(firn_render(&def, &summary, &error), FIRN_OK);
    l.stop_after = l.calls + 1;
    def.frame_end = 2;
    def.resume = true;
    assert_int_equal(firn_render(&def, &summary, &error), FIRN_INTERRUPTED);
    assert_contains(error.text, "frame 1");
    assert_equal(summary.pictures, 0);
    assert_equal(summary.skipped, 1);
    assert_int_not_equal(access(FIRN_TEST_TMP "/cut/ball.0001.png", F_OK), 0);
    assert_int_not_equal(access(FIRN_TEST_TMP "/cut/ball.0001.exr", F_OK), 0);
    l.stop_after = 0;
    assert_int_equal(firn_render(&def, NULL, &error), FIRN_OK);
    assert_int_equal(access(FIRN_TEST_TMP "/cut/ball.0002.png", F_OK), 0);
}

// A frame may lack velocity and mass, and may have no particles at all.
static void poor_frames(void** state)
{
    (void)state;
    static const char* const overrides[] = {"output.fields=[]", "cull={below: 10}"};
    static const char* const dirs[] = {FIRN_TEST_TMP "/poor", FIRN_TEST_TMP "/empty"};
    for (int k = 0; k < 2; k++) {
        listener l = {0};
        firn_render_summary summary;
        firn_error error = {0};
        assert_true(make_run_of(dirs[k], overrides[k]));
        firn_render_def def = def_of(&l, NULL);
        def.input_dir = dirs[k];
        def.frame_begin = def.frame_end = 1;
        const char* blur = "render.shutter=0.5";
        def.overrides = &blur;
        def.override_count = 1;
        if (firn_render(&def, &summary, &error) != FIRN_OK) fail_msg("%s", error.text);
        assert_int_equal(summary.pictures, 1);
        assert_int_equal(summary.events > 0, k == 0);
        if (k == 0)  // its pictures cannot blur
            assert_non_null(strstr(l.log, "render.velocity: frame 1 has no velocities"));
        else
            assert_string_equal(l.log, "");
    }
}

// Every allocation may fail: cleanly, and the next call does the rest.
static void out_of_memory(void** state)
{
    (void)state;
    listener l = {0};
    firn_render_def def = def_of(&l, FIRN_TEST_TMP "/memory");
    def.frame_end = 0;
    def.resume = true;
    const uint64_t in_use = firn_memory_read().bytes;
    firn_result r = FIRN_BROKEN_MEMORY;
    // every 7th of some hundreds of allocations: the parser's are tested elsewhere one by one
    for (uint64_t k = 1; r != FIRN_OK && k < 20000; k += 7) {
        firn_error error = {0};
        firn_memory_fail_at(k, false);
        r = firn_render(&def, NULL, &error);
        firn_memory_fail_at(0, false);
        assert_int_equal(firn_memory_read().bytes, in_use);
        if (r != FIRN_OK && r != FIRN_BROKEN_MEMORY)
            fail_msg("allocation %d: %s", (int)k, error.text);
    }
    assert_int_equal(r, FIRN_OK);
}

int test_render_run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_defs),    cmocka_unit_test(pictures_and_progress),
        cmocka_unit_test(a_way_out),     cmocka_unit_test(poor_frames),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("render_run", tests, make_run, NULL);
}
