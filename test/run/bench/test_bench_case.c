// SPDX-License-Identifier: MIT
// The cases of the bench are what their names say, and their rows fit together. No test
// depends on how long anything takes.
#include "run/bench/bench_case.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "solver/mpm/support/mpm_roofline.h"

static const firn_bench_case base = {.name = "test",
                                     .integrator = "explicit",
                                     .dt = "0",
                                     .particles = 10000,
                                     .balls = 1,
                                     .warm_up = 20};

static firn_result run_case(const firn_bench_def* def, const firn_bench_case* c,
                            firn_bench_row* out_row, firn_error* error)
{
    const firn_bench_job job = firn_bench_case_job(c, 1);
    firn_bench_row* rows;
    int count;
    FIRN_TRY(firn_bench_run_jobs(def, &job, 1, &rows, &count, error));
    *out_row = rows[0];
    firn_bench_free(rows);
    return FIRN_OK;
}

static firn_bench_row run(const firn_bench_case* c, int steps, int repeats)
{
    firn_bench_def def = firn_default_bench_def();
    def.steps = steps;
    def.repeats = repeats;
    const uint64_t before = firn_memory_read().bytes;
    firn_bench_row row;
    firn_error error;
    if (run_case(&def, c, &row, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_int_equal(firn_memory_read().bytes, before);
    return row;
}

#define DOUBLES 1e-9     // ratios of sums of a few doubles: roundings of 1e-16
#define COUNT_ERROR 0.1  // balls of snow have about as many particles as wanted

static void check_row(const firn_bench_row* r, const firn_bench_case* c)
{
    assert_string_equal(r->name, c->name);
    assert_int_equal(r->balls, c->balls);
    assert_near((double)r->particles / (double)c->particles, 1, COUNT_ERROR);
    double sum = 0;
    for (int s = 0; s < r->stage_count; s++) sum += r->stage_seconds[s];
    assert_greater(r->seconds_per_step, 0);
    assert_near(sum / r->seconds_per_step, 1, DOUBLES);
    assert_near(r->steps_per_second * r->seconds_per_step / (double)r->particles, 1, DOUBLES);
    assert_greater(r->nodes, 0);
    assert_equal(r->nodes % 64, 0);
    assert_greater(r->bytes_per_particle, 100);
    assert_greater(r->peak_bytes, r->bytes_per_particle);
    const firn_roofline f = firn_mpm_roofline(FIRN_SPLINE_CUBIC, r->iterations,
                                              (double)r->nodes / (double)r->particles);
    assert_equal(r->flops_per_particle, f.flops);
    assert_equal(r->bytes_moved_per_particle, f.bytes);
}

// The second state of the bench: every particle, over all the steps that are measured.
static void deforming(void** state)
{
    (void)state;
    firn_bench_case c = base;
    c.state = FIRN_BENCH_DEFORMING;
    const firn_bench_row r = run(&c, 10, 3);  // the default number
    check_row(&r, &c);
    assert_greater(r.yielding, 0.95);  // all but a few
    assert_at_most(r.yielding, 1);
}

// The first: what the wave from the floor has reached.
static void early_contact(void** state)
{
    (void)state;
    firn_bench_case c = base;
    c.warm_up = 2;
    const firn_bench_row r = run(&c, 1, 1);
    check_row(&r, &c);
    assert_greater(r.yielding, 0);
    assert_less(r.yielding, 0.3);  // two steps: the wave has passed a small part
    assert_equal(r.iterations, 0);
    assert_equal(r.iterations_per_second_core, 0);
}

static void semi_implicit(void** state)
{
    (void)state;
    firn_bench_case c = base;
    c.integrator = "semi-implicit";
    c.dt = "5e-4";
    c.particles = 1000;
    c.warm_up = 2;
    const firn_bench_row r = run(&c, 2, 1);
    check_row(&r, &c);
    assert_equal(r.iterations, 15);
    assert_greater(r.iterations_per_second_core, 0);
}

// A hundred separate balls: each activates its own blocks, at least 2 along every axis, where one
// ball of as many particles would activate a seventh of them; and each is compressed about its own
// centre.
static void scattered(void** state)
{
    (void)state;
    firn_bench_case c = base;
    c.state = FIRN_BENCH_DEFORMING;
    c.particles = 60000;  // balls of 600: smaller ones come to rest before they yield
    c.balls = 100;
    c.warm_up = 3;
    const firn_bench_row r = run(&c, 1, 1);
    check_row(&r, &c);
    assert_greater(r.nodes, 100 * 8 * 64);
    assert_greater(r.yielding, 0.9);  // all but a few
}

static void sizes(void** state)
{
    (void)state;
    firn_bench_def def = firn_default_bench_def();
    firn_bench_row* rows;
    firn_error error;
    int count;
    def.threads = def.steps = def.repeats = 1;
    def.particles = 100;
    assert_int_equal(firn_bench_scale(&def, &rows, &count, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "hundred balls");
    def.particles = 2000;  // below the smallest size: that number alone, and its scattered twin
    assert_int_equal(firn_bench_scale(&def, &rows, &count, &error), FIRN_OK);
    assert_int_equal(count, 2);
    assert_equal(rows[0].balls, 1);
    assert_equal(rows[1].balls, 100);
    firn_bench_free(rows);
    def.particles = 40000;  // above the first size only
    assert_int_equal(firn_bench_scale(&def, &rows, &count, &error), FIRN_OK);
    assert_int_equal(count, 2);
    for (int k = 0; k < 2; k++) assert_near((double)rows[k].particles / 30000, 1, COUNT_ERROR);
    firn_bench_free(rows);
    def.cookie = 0;
    assert_int_equal(firn_bench_scale(&def, &rows, &count, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_bench(&def, &rows, &count, &error), FIRN_REFUSED_ARGUMENT);
}

// The rows for a device, on the CPU: which cases there are, and that their clock is the wall's.
static void device(void** state)
{
    (void)state;
    firn_bench_def def = firn_default_bench_def();
    firn_bench_row* rows;
    firn_error error;
    int count;
    def.particles = 1000;
    def.threads = def.repeats = 1;
    def.steps = 3;  // sixteen, then
    if (firn_bench_device(&def, &rows, &count, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_int_equal(count, 5);
    assert_equal(rows[2].iterations, 15);
    assert_equal(rows[1].iterations, 0);
    assert_contains(rows[4].name, "quadratic");
    for (int k = 3; k < 5; k++) {  // counted with the nodes that they reach
        const firn_bench_row* r = &rows[k];
        const firn_roofline f = firn_mpm_roofline(FIRN_SPLINE_QUADRATIC, r->iterations,
                                                  (double)r->nodes / (double)r->particles);
        assert_equal(r->flops_per_particle, f.flops);
    }
    for (int k = 0; k < count; k++) {
        const firn_bench_row* r = &rows[k];
        double stages = 0;
        for (int s = 0; s < r->stage_count; s++) stages += r->stage_seconds[s];
        assert_at_least(r->seconds_per_step, stages);
        assert_greater(stages, 0);
        assert_string_equal(r->backend, "cpu");
        assert_equal(r->device_bytes, 0);
        // [1/s] of some 1e6: the same product, in double
        assert_near(r->iterations_per_second, r->steps_per_second * r->iterations, 1);
    }
    firn_bench_free(rows);
    def.memory = true;
    if (firn_bench_device(&def, &rows, &count, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_equal(count, 1);
    assert_equal(rows[0].iterations, 15);
    firn_bench_free(rows);
    def.backend = "abacus";
    assert_int_equal(firn_bench(&def, &rows, &count, &error), FIRN_REFUSED_BACKEND);
    assert_contains(error.text, "abacus");
    def.particles = 0;  // every size, if there were such a thing
    assert_int_equal(firn_bench(&def, &rows, &count, &error), FIRN_REFUSED_BACKEND);
    def.particles = 50;
    assert_int_equal(firn_bench(&def, &rows, &count, &error), FIRN_REFUSED_ARGUMENT);
}

// A case's spline reaches the solver: one that it does not know is refused.
static void spline(void** state)
{
    (void)state;
    const firn_bench_def def = firn_default_bench_def();
    firn_bench_case c = base;
    firn_bench_row row;
    firn_error error;
    c.spline = "septic";
    assert_greater(run_case(&def, &c, &row, &error), 0);
    assert_contains(error.text, "septic");
}

static void machine(void** state)
{
    (void)state;
    firn_bench_def def = firn_default_bench_def();
    firn_machine m = {0};
    firn_error error;
    def.simd = "abacus";
    assert_int_equal(firn_bench_machine(&def, &m, &error), FIRN_REFUSED_BACKEND);
    assert_contains(error.text, "abacus");
    def.simd = "baseline";
    def.threads = 1;  // counting cores allocates as well
    firn_memory_fail_at(1, false);
    assert_int_equal(firn_bench_machine(&def, &m, &error), FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
    assert_null(m.simd);  // written on success only
}

int test_bench_case(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deforming),     cmocka_unit_test(early_contact),
        cmocka_unit_test(semi_implicit), cmocka_unit_test(scattered),
        cmocka_unit_test(sizes),         cmocka_unit_test(device),
        cmocka_unit_test(spline),        cmocka_unit_test(machine)};
    return cmocka_run_group_tests_name("bench_case", tests, NULL, NULL);
}
