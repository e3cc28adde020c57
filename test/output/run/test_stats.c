// SPDX-License-Identifier: MIT
// stats.csv: rows, cutting on resume, torn lines.
#include "output/run/stats.h"

#include "output/sample.h"
#include "solver/collider_load.h"

#define DIR FIRN_TEST_TMP
#define PATH DIR "/stats.csv"

static const char* const stages[] = {"sort", "forces"};
#define HEADER                                                                                     \
    "step,time,dt,iterations,residual,px,py,pz,kinetic,elastic,potential,max_speed,jp_min,jp_max," \
    "particles,culled,active_blocks,shear_iterations,neighbours,seconds_sort,seconds_forces\n"
#define ROW(step) step ",0.5,0.001,12,1e-05,1,-2,3,4,5,6,7,0.9,1.1,300000,17,42,9,26.5,0.25,0.125\n"

static firn_step_report row_of(int64_t step)
{
    return (firn_step_report){.step = step,
                              .time = 0.5,
                              .dt = 0.001,
                              .iterations = 12,
                              .residual = 1e-5,
                              .momentum = {1, -2, 3},
                              .kinetic = 4,
                              .elastic = 5,
                              .potential = 6,
                              .max_speed = 7,
                              .plastic_min = 0.9,
                              .plastic_max = 1.1,
                              .particle_count = 300000,
                              .culled = 17,
                              .active_blocks = 42,
                              .shear_iterations = 9,
                              .neighbours = 26.5,
                              .stage_seconds = {0.25, 0.125}};
}

static firn_stats* begin(int64_t resume_step)
{
    firn_stats* s = NULL;
    firn_error error;
    if (firn_stats_open(DIR, stages, 2, 0, resume_step, &s, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return s;
}

static void add(firn_stats* s, int64_t first, int64_t last)
{
    for (int64_t step = first; step <= last; step++) {
        const firn_step_report row = row_of(step);
        assert_int_equal(firn_stats_add(s, &row, NULL, NULL), FIRN_OK);
    }
}

static void assert_text(const char* expected)
{
    size_t size;
    char* text = sample_bytes(PATH, &size);
    assert_string_equal(text, expected);
    firn_free(text);
}

static void rows_are_as_documented(void** state)
{
    (void)state;
    firn_stats* s = begin(-1);
    add(s, 0, 1);
    assert_text(HEADER);  // rows wait for the flush
    assert_int_equal(firn_stats_flush(s, NULL), FIRN_OK);
    assert_text(HEADER ROW("0") ROW("1"));
    add(s, 2, 2);
    assert_int_equal(firn_stats_close(s, NULL), FIRN_OK);
    assert_text(HEADER ROW("0") ROW("1") ROW("2"));
    s = begin(-1);  // starts a new file
    assert_int_equal(firn_stats_close(s, NULL), FIRN_OK);
    assert_text(HEADER);
    assert_int_equal(firn_stats_close(NULL, NULL), FIRN_OK);
}

// Columns of colliders: force and torque, impulses over dt. A row of many is longer than the
// buffer.
static void colliders_have_columns(void** state)
{
    (void)state;
    enum { MANY = 1000 };
    static firn_collider_load loads[MANY];
    loads[0] = (firn_collider_load){{0.001, -0.002, 0}, {0, 0, 0.5}, {9, 9, 9}};
    firn_step_report row = row_of(0);
    for (int count = 1; count <= MANY; count += MANY - 1) {
        firn_stats* s = NULL;
        firn_error error;
        if (firn_stats_open(DIR, stages, 2, count, -1, &s, &error) != FIRN_OK)
            fail_msg("%s", error.text);
        for (int k = 0; k < 3; k++) {
            row.step = k;
            assert_int_equal(firn_stats_add(s, &row, loads, NULL), FIRN_OK);
        }
        assert_int_equal(firn_stats_close(s, NULL), FIRN_OK);
        size_t size;
        char* text = sample_bytes(PATH, &size);
        assert_non_null(strstr(text, ",force_x_0,force_y_0,force_z_0,torque_x_0,torque_y_0,"
                                     "torque_z_0"));
        assert_non_null(strstr(text, "0.25,0.125,1,-2,0,0,0,500"));
        firn_free(text);
        // all complete rows before step 2 are kept
        assert_int_equal(firn_stats_open(DIR, stages, 2, count, 2, &s, &error), FIRN_OK);
        assert_int_equal(firn_stats_close(s, NULL), FIRN_OK);
        text = sample_bytes(PATH, &size);
        int lines = 0;
        for (const char* c = text; *c != '\0'; c++) lines += *c == '\n';
        assert_int_equal(lines, 3);
        firn_free(text);
    }
}

static void resuming_cuts_later_rows(void** state)
{
    (void)state;
    const struct {
        const char* before;
        int64_t resume;
        const char* after;
    } cases[] = {
        {HEADER ROW("0") ROW("1") ROW("2") ROW("3"), 2, HEADER ROW("0") ROW("1")},
        {HEADER ROW("0") ROW("1"), 0, HEADER},
        {HEADER ROW("0") ROW("1"), 100, HEADER ROW("0") ROW("1")},
        {HEADER ROW("0") "1,0.5,0.0", 100, HEADER ROW("0")},   // torn in a number
        {HEADER ROW("0") "1,0.5\n", 100, HEADER ROW("0")},     // too few columns
        {HEADER ROW("0") "x" ROW("1"), 100, HEADER ROW("0")},  // not a number
        {HEADER ROW("0") "-1" ROW(""), 100, HEADER ROW("0")},
        {HEADER ROW("0") "99999999999999999999" ROW(""), 100, HEADER ROW("0")},
        {"step,time", 100, HEADER},  // torn in the header
        {"", 100, HEADER},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        sample_put(PATH, cases[k].before, strlen(cases[k].before));
        firn_stats* s = begin(cases[k].resume);
        assert_int_equal(firn_stats_close(s, NULL), FIRN_OK);
        assert_text(cases[k].after);
    }
    // zeros where a crash lost the data
    char text[2000];
    const size_t kept = (size_t)snprintf(text, sizeof text, HEADER ROW("0"));
    memset(text + kept, 0, 500);
    sample_put(PATH, text, kept + 500);
    firn_stats* s = begin(100);
    add(s, 1, 1);
    assert_int_equal(firn_stats_close(s, NULL), FIRN_OK);
    assert_text(HEADER ROW("0") ROW("1"));
    // no file at all
    unlink(PATH);
    s = begin(5);
    add(s, 5, 5);
    assert_int_equal(firn_stats_close(s, NULL), FIRN_OK);
    assert_text(HEADER ROW("5"));
}

static void other_columns_are_refused(void** state)
{
    (void)state;
    const char other[] = "step,time,other\n0,1,2\n";
    sample_put(PATH, other, sizeof other - 1);
    firn_stats* s = NULL;
    firn_error error;
    assert_int_equal(firn_stats_open(DIR, stages, 2, 0, 1, &s, &error), FIRN_REFUSED_DAMAGED);
    assert_contains(error.text, "other columns");
    assert_text(other);  // untouched
    assert_int_equal(firn_stats_open(DIR "/nowhere", stages, 2, 0, -1, &s, &error),
                     FIRN_REFUSED_IO);
    assert_contains(error.text, DIR "/nowhere/stats.csv");
    assert_int_equal(firn_stats_open(DIR, stages, 25, 0, -1, &s, &error), FIRN_REFUSED_ARGUMENT);
}

// More rows than the buffer holds, all numbers at their longest.
static void many_long_rows(void** state)
{
    (void)state;
    const char* names[FIRN_STAGES_MAX];
    for (int k = 0; k < FIRN_STAGES_MAX; k++) names[k] = "a_stage_with_a_long_name";
    firn_stats* s = NULL;
    assert_int_equal(firn_stats_open(DIR, names, FIRN_STAGES_MAX, 0, -1, &s, NULL), FIRN_OK);
    firn_step_report row = row_of(INT64_MAX);
    for (int k = 0; k < FIRN_STAGES_MAX; k++) row.stage_seconds[k] = -1.23456789e-300;
    row.residual = row.kinetic = row.elastic = -1.23456789e-300;
    for (int k = 0; k < 500; k++) assert_int_equal(firn_stats_add(s, &row, NULL, NULL), FIRN_OK);
    assert_int_equal(firn_stats_close(s, NULL), FIRN_OK);
    size_t size, lines = 0, commas = 0;
    char* text = sample_bytes(PATH, &size);
    for (size_t k = 0; k < size; k++) {
        lines += text[k] == '\n';
        commas += text[k] == ',';
    }
    assert_int_equal(lines, 501);
    assert_int_equal(commas, 501 * (18 + FIRN_STAGES_MAX));
    firn_free(text);
}

int test_stats(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_as_documented),   cmocka_unit_test(colliders_have_columns),
        cmocka_unit_test(resuming_cuts_later_rows), cmocka_unit_test(other_columns_are_refused),
        cmocka_unit_test(many_long_rows),
    };
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
