// SPDX-License-Identifier: MIT
// Which frames are rendered: ranges, steps, lists, runs that go on; missing ones are named.
#include "run/render/render_plan.h"

#include <string.h>

#include "firn_test.h"

enum { FRAMES = 13 };

// A run that has frames 0 to `newest` and checkpoints, and will have `end`.
typedef struct run {
    firn_manifest_entry entries[2 * FRAMES];
    firn_manifest manifest;
} run;

static firn_manifest* make(run* r, int64_t newest, int64_t end)
{
    memset(r, 0, sizeof *r);
    r->manifest = (firn_manifest){.scene = "ball",
                                  .fps = 24,
                                  .frame_end = end,
                                  .complete = newest == end,
                                  .entries = r->entries};
    for (int64_t f = 0; f <= newest; f++)
        for (int kind = 0; kind < 2; kind++)
            r->entries[r->manifest.count++] = (firn_manifest_entry){
                .kind = kind == 0 ? FIRN_ENTRY_FRAME : FIRN_ENTRY_CHECKPOINT, .frame = f};
    return &r->manifest;
}

static firn_render_plan plan_of(const firn_render_def* def, const firn_manifest* m)
{
    firn_render_plan plan;
    firn_error error;
    if (firn_render_plan_make(def, m, &plan, &error) != FIRN_OK) fail_msg("%s", error.text);
    return plan;
}

static void check(const firn_render_plan* plan, const int64_t* frames, int64_t count)
{
    assert_int_equal(plan->count, count);
    for (int64_t k = 0; k < count; k++) assert_int_equal(firn_render_plan_at(plan, k), frames[k]);
}

static void ranges(void** state)
{
    (void)state;
    run r;
    const firn_manifest* m = make(&r, 6, 6);
    firn_render_def def = firn_default_render_def();
    firn_render_plan plan = plan_of(&def, m);
    check(&plan, (const int64_t[]){0, 1, 2, 3, 4, 5, 6}, 7);
    assert_true(plan.whole);
    assert_int_equal(firn_render_plan_stride(&plan), 1);
    def.frame_step = 3;
    plan = plan_of(&def, m);
    check(&plan, (const int64_t[]){0, 3, 6}, 3);
    assert_false(plan.whole);
    assert_int_equal(firn_render_plan_stride(&plan), 3);
    def.frame_begin = 1;
    def.frame_end = 5;
    plan = plan_of(&def, m);
    check(&plan, (const int64_t[]){1, 4}, 2);
    def.frame_end = 1;
    plan = plan_of(&def, m);
    check(&plan, (const int64_t[]){1}, 1);
    assert_int_equal(firn_render_plan_stride(&plan), 0);
}

static void lists(void** state)
{
    (void)state;
    run r;
    const firn_manifest* m = make(&r, 6, 6);
    static const int64_t even[] = {1, 3, 5}, uneven[] = {0, 1, 5}, back[] = {3, 3}, low[] = {-2};
    firn_render_def def = firn_default_render_def();
    def.frames = even;
    def.frame_count = 3;
    firn_render_plan plan = plan_of(&def, m);
    check(&plan, even, 3);
    assert_int_equal(firn_render_plan_stride(&plan), 2);
    def.frames = uneven;
    plan = plan_of(&def, m);
    check(&plan, uneven, 3);
    assert_int_equal(firn_render_plan_stride(&plan), 0);
    firn_error error;
    def.frames = back;
    def.frame_count = 2;
    assert_int_equal(firn_render_plan_make(&def, m, &plan, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "3 follows 3");
    def.frames = low;
    def.frame_count = 1;
    assert_int_equal(firn_render_plan_make(&def, m, &plan, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "no frame -2");
}

static void check_missing(const firn_render_def* def, const firn_manifest* m, const char* words)
{
    firn_render_plan plan;
    firn_error error = {0};
    assert_int_equal(firn_render_plan_make(def, m, &plan, &error), FIRN_REFUSED_NAME);
    if (strstr(error.text, words) == NULL) fail_msg("'%s' is not in: %s", words, error.text);
}

static void missing_frames(void** state)
{
    (void)state;
    run r;
    const firn_manifest* m = make(&r, 6, 6);
    firn_render_def def = firn_default_render_def();
    def.frame_end = 9;
    check_missing(&def, m, "no frame 7: the run of 'ball' has frames 0 to 6; choose");
    def.frame_begin = 8;
    def.frame_end = -1;
    check_missing(&def, m, "no frame 8");
    m = make(&r, 6, 12);
    def = firn_default_render_def();
    def.frame_end = 9;
    check_missing(&def, m, "--follow");
    def.frame_end = -1;  // what there is
    assert_int_equal(plan_of(&def, m).count, 7);
    m = make(&r, -1, 12);
    check_missing(&def, m, "no frames yet");
    m = make(&r, 6, 6);
    r.entries[4].kind = FIRN_ENTRY_CHECKPOINT;  // frame 2 is gone
    check_missing(&def, m, "no frame 2");
}

static void runs_that_go_on(void** state)
{
    (void)state;
    run r;
    const firn_manifest* m = make(&r, 3, 12);
    firn_render_def def = firn_default_render_def();
    def.follow = true;
    firn_render_plan plan = plan_of(&def, m);
    assert_int_equal(plan.count, 13);
    assert_true(plan.whole);
    def.frame_end = 13;
    check_missing(&def, m, "ends at frame 12");
    def.frame_end = -1;
    m = make(&r, -1, 12);
    assert_int_equal(plan_of(&def, m).count, 13);
    m = make(&r, 6, 6);  // complete: the same as without follow
    assert_int_equal(plan_of(&def, m).count, 7);
    def.frame_end = 8;
    check_missing(&def, m, "ends at frame 6");
}

int test_render_plan(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),
        cmocka_unit_test(lists),
        cmocka_unit_test(missing_frames),
        cmocka_unit_test(runs_that_go_on),
    };
    return cmocka_run_group_tests_name("render_plan", tests, NULL, NULL);
}
