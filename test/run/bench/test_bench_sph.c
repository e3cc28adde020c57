// SPDX-License-Identifier: MIT
// The rows of solver sph have the iterations that their names promise, and fit together. No test
// depends on how long anything takes.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "run/bench/bench_case.h"

static firn_bench_def small(void)
{
    firn_bench_def def = firn_default_bench_def();
    def.solver = "sph";
    def.particles = 1000;
    def.steps = 3;
    def.repeats = 1;  // the fastest counts, which could be another on more threads
    def.threads = 2;
    return def;
}

static double stage_of(const firn_bench_row* r, const char* name)
{
    for (int s = 0; s < r->stage_count; s++)
        if (strcmp(r->stage_names[s], name) == 0) return r->stage_seconds[s];
    fail_msg("no stage is called %s", name);
    return 0;
}

static void rows_fit(void** state)
{
    (void)state;
    static const char* const names[] = {"pressure", "elastic", "snow", "snow, 2 + 5"};
    const firn_bench_def def = small();
    const uint64_t before = firn_memory_read().bytes;
    firn_bench_row* rows;
    firn_error error;
    int count;
    if (firn_bench(&def, &rows, &count, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_int_equal(count, 8);
    for (int k = 0; k < count; k++) {
        const firn_bench_row* r = &rows[k];
        assert_string_equal(r->name, names[k / 2]);
        assert_int_equal(r->threads, 1 + k % 2);
        assert_int_equal(r->particles, 1000);  // a cube of ten
        double sum = 0;
        for (int s = 0; s < r->stage_count; s++) sum += r->stage_seconds[s];
        // sums of a few doubles: roundings of 1e-16
        assert_near(sum / r->seconds_per_step, 1, 1e-9);
        assert_near(r->steps_per_second * r->seconds_per_step / 1000, 1, 1e-9);
        // 10^3 on a lattice have 20.95 neighbours, and more where they are compressed
        assert_greater(r->neighbours, 18);
        assert_less(r->neighbours, 60);
        assert_greater(r->bytes_per_particle, 500);
        assert_greater(r->peak_bytes, r->bytes_per_particle);
        // the same steps on any number of threads
        assert_equal(rows[k / 2 * 2].neighbours, r->neighbours);
        assert_equal(rows[k / 2 * 2].shear_iterations, r->shear_iterations);
    }
    assert_equal(rows[0].iterations, 5);
    assert_equal(rows[2].iterations, 2);
    assert_at_least(rows[4].iterations, 2);
    assert_equal(rows[2].shear_iterations, 2);
    assert_at_least(rows[4].shear_iterations, 1);
    assert_equal(rows[6].iterations, 2);
    assert_equal(rows[6].shear_iterations, 5);
    assert_string_equal(rows[0].left_out, "06_shear");
    assert_null(rows[2].left_out);
    assert_null(rows[4].left_out);
    assert_equal(stage_of(&rows[0], "06_shear"), 0);
    assert_greater(stage_of(&rows[0], "05_pressure"), 0);
    assert_greater(stage_of(&rows[2], "06_shear"), 0);
    firn_bench_free(rows);
    assert_int_equal(firn_memory_read().bytes, before);
}

static void refused(void** state)
{
    (void)state;
    firn_bench_def def = small();
    firn_bench_row* rows;
    firn_error error;
    int count;
    assert_int_equal(firn_bench_scale(&def, &rows, &count, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "sph");
    assert_int_equal(firn_bench_device(&def, &rows, &count, &error), FIRN_REFUSED_ARGUMENT);
    def.solver = "pbd";
    assert_int_equal(firn_bench(&def, &rows, &count, &error), FIRN_REFUSED_NAME);
    assert_contains(error.text, "pbd");
    def.solver = NULL;
    assert_int_equal(firn_bench(&def, &rows, &count, &error), FIRN_REFUSED_NAME);
    def = small();
    def.simd = "abacus";
    assert_int_equal(firn_bench(&def, &rows, &count, &error), FIRN_REFUSED_BACKEND);
    def.simd = NULL;
    firn_memory_fail_at(1, false);
    assert_int_equal(firn_bench(&def, &rows, &count, &error), FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
}

int test_bench_sph(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_fit), cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("bench_sph", tests, NULL, NULL);
}
