// SPDX-License-Identifier: MIT
// Figures of frames: balls of known mass and motion, regions, dust, runs with holes in them.
#include "output/run/measure.h"

#include <math.h>

#include "math/vec3.h"
#include "output/run/manifest.h"
#include "output/sample.h"
#include "team_use.h"

#define RUN FIRN_TEST_TMP "/run"
#define CELL 0.02
#define STEP (CELL / 2)                   // eight particles a cell
#define GRAIN (400 * STEP * STEP * STEP)  // [kg] of one, at 400 kg/m^3

typedef struct cloud {
    firn_frame frame;
    firn_vec3 x[20000], v[20000];
    firn_real mass[20000];
} cloud;

static cloud* make_cloud(void)
{
    cloud* c = firn_alloc(1, sizeof *c);
    assert_non_null(c);
    c->frame =
        (firn_frame){.info = sample_info(), .position = c->x, .velocity = c->v, .mass = c->mass};
    c->frame.info.cell = CELL;
    return c;
}

static void put(cloud* c, double x, double y, double z, firn_vec3 v)
{
    const firn_local p = c->frame.count++;
    assert_less(p, 20000);
    c->x[p] = firn_v3((firn_real)x, (firn_real)y, (firn_real)z);
    c->v[p] = v;
    c->mass[p] = (firn_real)GRAIN;
}

// A ball on a lattice; gives its number of particles.
static firn_local put_ball(cloud* c, double x, double radius, firn_vec3 v)
{
    const firn_local before = c->frame.count;
    const int n = (int)(radius / STEP) + 1;
    for (int i = -n; i <= n; i++)
        for (int j = -n; j <= n; j++)
            for (int k = -n; k <= n; k++)
                if (STEP * STEP * (i * i + j * j + k * k) < radius * radius)
                    put(c, x + STEP * i, STEP * j, STEP * k, v);
    return c->frame.count - before;
}

static firn_frame_measure measure(const cloud* c, const firn_measure_def* def, int threads)
{
    firn_frame_measure row;
    firn_error error = {0};
    use_team(threads);
    if (firn_measure_frame(&c->frame, def, &row, &error) != FIRN_OK) fail_msg("%s", error.text);
    use_team(0);
    return row;
}

// Sums in double of floats: masses and positions are rounded by 6e-8 each.
static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-6 * (1 + fabs(expected))))
        fail_msg("%.9g is not %.9g", value, expected);
}

static void two_balls_and_dust(void** state)
{
    (void)state;
    cloud* c = make_cloud();
    const double a = put_ball(c, 0, 0.12, firn_v3(0, -2, 0)) * GRAIN;
    const double b = put_ball(c, 0.5, 0.08, firn_v3(3, 0, 1)) * GRAIN;
    for (int k = 0; k < 10; k++) put(c, -0.5, 0.2 * k, 0.3, firn_v3(0, 0, 0));
    const double dust = 10 * GRAIN, all = a + b + dust;
    firn_measure_def def = firn_default_measure_def();
    const firn_frame_measure m = measure(c, &def, 2);
    assert_int_equal(m.frame, 7);
    near(m.time, 7.0 / 24);
    assert_int_equal(m.particles, c->frame.count);
    near(m.mass, all);
    near(m.center[0], (0.5 * b - 0.5 * dust) / all);
    near(m.center[2], 0.3 * dust / all);
    near(m.low[0], -0.5);
    near(m.high[1], 1.8);
    near(m.momentum[0], 3 * b);
    near(m.momentum[1], -2 * a);
    near(m.kinetic, 4 * a / 2 + 10 * b / 2);
    assert_int_equal(m.fragments, 2);
    near(m.largest, a);
    near(m.mean_mass, (a * a + b * b) / (a + b));
    near(m.dust, dust / all);
    def.threshold = 1;  // now a grain is a fragment of its own, of some voxels
    def.smallest = 1;
    assert_int_equal(measure(c, &def, 1).fragments, 12);
    near(measure(c, &def, 1).dust, 0);
    firn_free(c);
}

// A body that spins about its centre, while it flies: two grains at +-0.3 m, in m × r omega each.
static void angular_momentum_is_about_the_centre(void** state)
{
    (void)state;
    cloud* c = make_cloud();
    const double spin = 5;
    put(c, 1.3, 2, 0, firn_v3(7, (firn_real)(0.3 * spin), -1));
    put(c, 0.7, 2, 0, firn_v3(7, (firn_real)(-0.3 * spin), -1));
    const firn_measure_def def = firn_default_measure_def();
    const firn_frame_measure m = measure(c, &def, 1);
    near(m.angular[0], 0);
    near(m.angular[1], 0);
    near(1e3 * m.angular[2], 1e3 * 2 * GRAIN * 0.3 * 0.3 * spin);
    firn_free(c);
}

// A cone of 40 degrees: the mean distance from its axis is half its radius.
static void spread_is_the_distance_from_the_axis(void** state)
{
    (void)state;
    cloud* c = make_cloud();
    const double radius = 0.2, slope = tan(40 * 3.14159265 / 180);
    for (int i = -20; i <= 20; i++)
        for (int k = -20; k <= 20; k++)
            for (int j = 0; j < 17; j++) {
                const double x = STEP * i, z = STEP * k, y = STEP * (j + 0.5);
                if (y < slope * (radius - hypot(x, z))) put(c, 3 + x, y, z, firn_v3(0, 0, 0));
            }
    const firn_measure_def def = firn_default_measure_def();
    const firn_frame_measure m = measure(c, &def, 1);
    if (fabs(m.spread - radius / 2) > 0.02 * radius / 2) fail_msg("spread %g m", m.spread);
    if (fabs(m.center[1] - slope * radius / 4) > 0.03 * slope * radius / 4)
        fail_msg("centre at %g m", m.center[1]);
    assert_true(isnan(m.temperature) && isnan(m.water));
    firn_free(c);
}

static void heat_is_a_mean_by_mass(void** state)
{
    (void)state;
    cloud* c = make_cloud();
    firn_real temperature[3] = {-10, -4, 2}, water[3] = {0, (firn_real)0.25, 1};
    for (int k = 0; k < 3; k++) put(c, k, 0, 0, firn_v3(0, 0, 0));
    c->mass[2] = 2 * c->mass[0];
    c->frame.temperature = temperature;
    c->frame.water = water;
    firn_measure_def def = firn_default_measure_def();
    near(measure(c, &def, 1).temperature, (-10 - 4 + 2 * 2) / 4.0);
    near(measure(c, &def, 1).water, (0.25 + 2) / 4);
    def.use_region = true;
    for (int d = 0; d < 3; d++) def.region_low[d] = -0.5, def.region_high[d] = 0.5;
    near(measure(c, &def, 1).temperature, -10);
    firn_free(c);
}

static void regions_cut(void** state)
{
    (void)state;
    cloud* c = make_cloud();
    const double a = put_ball(c, 0, 0.12, firn_v3(1, 0, 0)) * GRAIN;
    put_ball(c, 0.5, 0.08, firn_v3(3, 0, 1));
    firn_measure_def def = firn_default_measure_def();
    def.use_region = true;
    for (int d = 0; d < 3; d++) {
        def.region_low[d] = -0.2;
        def.region_high[d] = 0.2;
    }
    const firn_frame_measure m = measure(c, &def, 1);
    near(m.mass, a);
    near(m.momentum[0], a);
    assert_int_equal(m.fragments, 1);
    def.region_low[1] = 1;
    def.region_high[1] = 2;
    const firn_frame_measure none = measure(c, &def, 1);
    assert_int_equal(none.particles, 0);
    assert_int_equal(none.fragments, 0);
    assert_equal(none.mass, 0);
    assert_equal(none.dust, 0);
    assert_nan(none.center[0]);
    assert_nan(none.low[1]);
    firn_free(c);
}

static void threads_change_nothing(void** state)
{
    (void)state;
    cloud* c = make_cloud();
    any_source r = {3, 0};
    for (int k = 0; k < 20000; k++)
        put(c, any_between(&r, -0.3, 0.3), any_between(&r, 0, 0.2), any_between(&r, -0.3, 0.3),
            any_vec3(&r, 2));
    firn_measure_def def = firn_default_measure_def();
    def.threshold = 150;  // somewhat over the mean: many fragments
    const firn_frame_measure one = measure(c, &def, 1), two = measure(c, &def, 2),
                             seven = measure(c, &def, 7);
    assert_greater(one.fragments, 3);
    assert_memory_equal(&one, &two, sizeof one);
    assert_memory_equal(&one, &seven, sizeof one);
    firn_free(c);
}

static void missing_fields(void** state)
{
    (void)state;
    cloud* c = make_cloud();
    put_ball(c, 0, 0.1, firn_v3(1, 0, 0));
    c->frame.velocity = NULL;
    const firn_measure_def def = firn_default_measure_def();
    const firn_frame_measure m = measure(c, &def, 1);
    assert_nan(m.kinetic);
    assert_nan(m.momentum[2]);
    assert_int_equal(m.fragments, 1);
    c->frame.mass = NULL;
    firn_frame_measure row;
    firn_error error = {0};
    assert_int_equal(firn_measure_frame(&c->frame, &def, &row, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "frame 7 has no field 'mass'");
    firn_free(c);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    cloud* c = make_cloud();
    put_ball(c, 0, 0.1, firn_v3(1, 0, 0));
    const firn_measure_def def = firn_default_measure_def();
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1;; k++) {
        firn_frame_measure row;
        firn_memory_fail_at(k, false);
        const firn_result result = firn_measure_frame(&c->frame, &def, &row, NULL);
        firn_memory_fail_at(0, false);
        assert_int_equal(firn_memory_read().bytes, before);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        failures++;
    }
    assert_greater(failures, 8);
    firn_free(c);
}

// ---- runs ---------------------------------------------------------------------------------------

// Frames 0, 1, 2 and 4 of a falling ball.
static void make_run(void)
{
    static const int frames[] = {0, 1, 2, 4};
    firn_manifest m = {.scene = "ball", .solver = "mpm", .fps = 24, .cell = CELL, .frame_end = 4};
    assert_int_equal(firn_folder_make(RUN, NULL), FIRN_OK);
    for (int k = 0; k < 4; k++) {
        cloud* c = make_cloud();
        put_ball(c, 0.1 * frames[k], 0.1, firn_v3(1, 0, 0));
        char file[64], path[4096];
        c->frame.info.frame = frames[k];
        snprintf(file, sizeof file, "f.%04d.hdf", frames[k]);
        snprintf(path, sizeof path, RUN "/%s", file);
        assert_int_equal(firn_frame_write(path, &c->frame, 1, NULL), FIRN_OK);
        assert_int_equal(firn_manifest_add(&m, RUN, FIRN_ENTRY_FRAME, frames[k], file, NULL),
                         FIRN_OK);
        firn_free(c);
    }
    assert_int_equal(firn_manifest_write(RUN, &m, NULL), FIRN_OK);
    firn_manifest_destroy(&m);
}

static void count_frames(void* user, const firn_progress* progress)
{
    assert_true(progress->frame_done);
    ++*(int*)user;
}

static void runs_are_measured_frame_by_frame(void** state)
{
    (void)state;
    make_run();
    firn_measure_def def = firn_default_measure_def();
    int told = 0;
    def.input_dir = RUN;
    def.progress = count_frames;
    def.user = &told;
    firn_frame_measure* rows = NULL;
    int count = 0;
    firn_error error = {0};
    assert_int_equal(firn_cache_measure(&def, &rows, &count, &error), FIRN_OK);
    assert_int_equal(count, 4);
    assert_int_equal(told, 4);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(rows[k].frame, k < 3 ? k : 4);
        near(rows[k].center[0], 0.1 * (double)rows[k].frame);
        assert_int_equal(rows[k].fragments, 1);
    }
    firn_measure_free(rows);
    def.frame_begin = 1;
    def.frame_end = 3;
    assert_int_equal(firn_cache_measure(&def, &rows, &count, &error), FIRN_OK);
    assert_int_equal(count, 2);
    firn_measure_free(rows);
}

static void what_is_wrong_is_told(void** state)
{
    (void)state;
    firn_measure_def def = firn_default_measure_def();
    firn_frame_measure* rows = NULL;
    int count = -1;
    firn_error error = {0};
    assert_int_equal(firn_cache_measure(&def, &rows, &count, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "input_dir");
    def.input_dir = RUN;
    def.frame_begin = 3;
    def.frame_end = 3;
    assert_int_equal(firn_cache_measure(&def, &rows, &count, &error), FIRN_REFUSED_NAME);
    assert_contains(error.text, "no frames 3 to 3; its last frame is 4");
    def.threshold = 0;
    assert_int_equal(firn_cache_measure(&def, &rows, &count, &error), FIRN_REFUSED_ARGUMENT);
    def.threshold = 100;
    def.voxel = -1;
    assert_int_equal(firn_cache_measure(&def, &rows, &count, &error), FIRN_REFUSED_ARGUMENT);
    def.voxel = 0;
    def.use_region = true;
    def.region_low[2] = 1;
    assert_int_equal(firn_cache_measure(&def, &rows, &count, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "along z");
    def.use_region = false;
    def.input_dir = FIRN_TEST_TMP "/nowhere";
    assert_greater(firn_cache_measure(&def, &rows, &count, &error), 0);
    def.input_dir = RUN;  // a damaged frame
    def.frame_begin = 0;
    def.frame_end = -1;
    const int f = open(RUN "/f.0002.hdf", O_WRONLY);
    assert_at_least(f, 0);
    assert_equal(pwrite(f, "xxxx", 4, 3000), 4);
    assert_equal(close(f), 0);
    assert_int_equal(firn_cache_measure(&def, &rows, &count, &error), FIRN_REFUSED_DAMAGED);
    assert_null(rows);
    assert_int_equal(count, -1);
}

int test_measure(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_balls_and_dust),
        cmocka_unit_test(angular_momentum_is_about_the_centre),
        cmocka_unit_test(spread_is_the_distance_from_the_axis),
        cmocka_unit_test(heat_is_a_mean_by_mass),
        cmocka_unit_test(regions_cut),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(missing_fields),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(runs_are_measured_frame_by_frame),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
