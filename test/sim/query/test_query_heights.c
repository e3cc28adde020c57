// SPDX-License-Identifier: MIT
// Height fields: those that are kept have the bits of those that are computed at once, their dirty
// rectangle contains all samples that changed, and only those parts are computed again.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "firn/firn.h"
#include "firn_test.h"

// A bed at rest, and a ball that flies over it: without gravity nothing else moves. The ball comes
// down to the bed, so that it is in the air in some places and not in others.
static const char bed_and_ball[] =
    "firn: 1\nsolver: ballistic\nballistic: {spacing: 0.04}\ngravity: [0, 0, 0]\ntime: {frames: "
    "100, fps: 50}\n"
    "materials:\n  s: {density: 300}\nsnow:\n"
    "  - {shape: {box: {center: [0, 0.1, 0], size: [2, 0.2, 2]}}, material: s}\n"
    "  - {shape: {sphere: {center: [-0.5, 0.4, 0.1], radius: 0.2}}, material: s,\n"
    "     velocity: [5, -1.5, 1]}\n";
// Everything moves.
static const char falling[] =
    "firn: 1\nsolver: mpm\nmpm: {cell: 0.1}\ntime: {frames: 100, fps: 50}\n"
    "materials:\n  s: {density: 300}\nsnow:\n"
    "  - {shape: {box: {center: [0, 0.7, 0], size: [1, 0.6, 1]}}, material: s}\n"
    "colliders:\n  - {shape: {plane: {}}}\n";

static firn_sim* make(const char* yaml, int threads)
{
    firn_scene* scene;
    firn_sim* sim;
    firn_error error;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, yaml, "snow", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = threads;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

enum { COLUMNS = 300, ROWS = 270 };
static float at_once[ROWS * COLUMNS], before[ROWS * COLUMNS];

static firn_height_def square(void)
{
    firn_height_def def = firn_default_height_def();
    def.x = def.z = -1.1;
    def.width = def.depth = 2.2;
    def.columns = COLUMNS;
    def.rows = ROWS;
    def.empty = -2;
    return def;
}

// The rectangle of all samples that differ.
static firn_rect difference(const float* a, const float* b)
{
    int low[2] = {COLUMNS, ROWS}, high[2] = {-1, -1};
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++) {
            if (memcmp(&a[j * COLUMNS + i], &b[j * COLUMNS + i], sizeof(float)) == 0) continue;
            low[0] = i < low[0] ? i : low[0];
            high[0] = i > high[0] ? i : high[0];
            low[1] = j < low[1] ? j : low[1];
            high[1] = j;
        }
    if (high[0] < 0) return (firn_rect){0};
    return (firn_rect){low[0], low[1], high[0] - low[0] + 1, high[1] - low[1] + 1};
}

static void check_kept(const char* yaml, int threads, int steps, bool small)
{
    firn_sim* sim = make(yaml, threads);
    const firn_height_def def = square();
    firn_heights* kept;
    assert_int_equal(firn_heights_create(&def, &kept, NULL), FIRN_OK);
    assert_equal(firn_heights_data(kept)[7], -2);
    for (int step = 0; step <= steps; step++) {
        memcpy(before, firn_heights_data(kept), sizeof before);
        firn_rect dirty;
        if (firn_heights_update(kept, sim, &dirty) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
        assert_int_equal(firn_sim_heights(sim, &def, at_once), FIRN_OK);
        assert_memory_equal(firn_heights_data(kept), at_once, sizeof at_once);
        const firn_rect expected = difference(before, at_once);
        if (step > 0) assert_memory_equal(&dirty, &expected, sizeof dirty);
        // a ball of 0.4 m, at most 1 m further than before, is not the whole field
        if (small && step > 0) assert_in_range(dirty.columns * dirty.rows, 1, ROWS * COLUMNS / 2);
        firn_rect nothing;
        assert_int_equal(firn_heights_update(kept, sim, &nothing), FIRN_OK);
        assert_int_equal(nothing.columns + nothing.rows, 0);
        assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    }
    firn_heights_destroy(kept);
    firn_sim_destroy(sim);
}

static void a_ball_over_a_bed(void** state)
{
    (void)state;
    check_kept(bed_and_ball, 1, 6, true);
}

static void threads_do_not_matter(void** state)
{
    (void)state;
    check_kept(bed_and_ball, 4, 3, true);
}

static void snow_that_falls(void** state)
{
    (void)state;
    check_kept(falling, 2, 4, false);
}

// Snow that drifts by 20 micrometres per frame: with a tolerance of 50 it stays for two frames and
// is where it is in the third.
static void slow_snow_stays(void** state)
{
    (void)state;
    firn_sim* sim =
        make("firn: 1\nsolver: ballistic\nballistic: {spacing: 0.04}\ngravity: [0, 0, 0]\n"
             "time: {frames: 100, fps: 50}\nmaterials:\n  s: {density: 300}\nsnow:\n"
             "  - {shape: {box: {center: [0, 0.1, 0], size: [2, 0.2, 2]}}, material: s,\n"
             "     velocity: [0.001, 0, 0]}\n",
             2);
    firn_height_def def = square();
    def.tolerance = 50e-6;
    firn_heights* kept;
    firn_rect dirty;
    assert_int_equal(firn_heights_create(&def, &kept, NULL), FIRN_OK);
    assert_int_equal(firn_heights_update(kept, sim, &dirty), FIRN_OK);
    for (int frame = 1; frame <= 6; frame++) {
        assert_int_equal(firn_sim_frame(sim), FIRN_OK);
        assert_int_equal(firn_heights_update(kept, sim, &dirty), FIRN_OK);
        assert_int_equal(firn_sim_heights(sim, &def, at_once), FIRN_OK);  // has no tolerance
        const bool same = memcmp(firn_heights_data(kept), at_once, sizeof at_once) == 0;
        assert_true(same == (frame % 3 == 0));
        assert_true((dirty.columns > 0) == (frame % 3 == 0));
    }
    firn_heights_destroy(kept);
    firn_sim_destroy(sim);
}

// Solvers sort their particles: each is known by its id. It falls by 3 cm.
static void sorted_snow_stays(void** state)
{
    (void)state;
    firn_sim* sim = make(falling, 2);
    firn_height_def def = square();
    def.tolerance = 0.1;
    firn_heights* kept;
    firn_rect dirty;
    firn_field_view id;
    assert_int_equal(firn_heights_create(&def, &kept, NULL), FIRN_OK);
    assert_int_equal(firn_sim_field(sim, "id", &id), FIRN_OK);
    uint32_t* first = malloc((size_t)id.count * sizeof *first);
    assert_non_null(first);
    memcpy(first, id.data, (size_t)id.count * sizeof *first);
    assert_int_equal(firn_heights_update(kept, sim, &dirty), FIRN_OK);
    memcpy(before, firn_heights_data(kept), sizeof before);
    for (int frame = 0; frame < 4; frame++) assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    assert_int_equal(firn_sim_field(sim, "id", &id), FIRN_OK);
    assert_int_not_equal(memcmp(first, id.data, (size_t)id.count * sizeof *first), 0);
    assert_int_equal(firn_heights_update(kept, sim, &dirty), FIRN_OK);
    assert_int_equal(dirty.columns + dirty.rows, 0);
    assert_memory_equal(firn_heights_data(kept), before, sizeof before);
    free(first);
    firn_heights_destroy(kept);
    firn_sim_destroy(sim);
}

static void no_allocation_after_the_first(void** state)
{
    (void)state;
    firn_sim* sim = make(bed_and_ball, 1);
    const firn_height_def def = square();
    firn_heights* kept;
    assert_int_equal(firn_heights_create(&def, &kept, NULL), FIRN_OK);
    assert_int_equal(firn_heights_update(kept, sim, NULL), FIRN_OK);
    for (int step = 0; step < 3; step++) {
        assert_int_equal(firn_sim_step(sim), FIRN_OK);
        const uint64_t allocations = firn_memory_read().allocations;
        assert_int_equal(firn_heights_update(kept, sim, NULL), FIRN_OK);
        assert_int_equal(firn_memory_read().allocations, allocations);
    }
    firn_sim_destroy(sim);
    firn_heights_destroy(kept);  // may outlive the simulation
}

// The box is that of the snow with the radius of its particles, and the def of a field is not
// written.
static void the_box(void** state)
{
    (void)state;
    firn_sim* sim = make(bed_and_ball, 1);
    firn_height_def def = firn_default_height_def();
    def.columns = COLUMNS, def.rows = ROWS;
    assert_int_equal(firn_sim_heights(sim, &def, before), FIRN_OK);
    assert_equal(def.width, 0);
    assert_int_equal(firn_sim_height_box(sim, &def), FIRN_OK);
    assert_int_equal(firn_sim_heights(sim, &def, at_once), FIRN_OK);
    assert_memory_equal(before, at_once, sizeof before);
    firn_sim_destroy(sim);
}

#define REFUSED(call) assert_int_equal(call, FIRN_REFUSED_ARGUMENT)

static void refusals(void** state)
{
    (void)state;
    firn_sim* sim = make(falling, 1);
    firn_height_def def = square();
    firn_heights* kept = NULL;
    firn_error error;
    REFUSED(firn_heights_create(&def, NULL, &error));
    REFUSED(firn_heights_create(NULL, &kept, &error));
    def.width = def.depth = 0;
    REFUSED(firn_heights_create(&def, &kept, &error));
    assert_string_not_equal(error.text, "");
    def = square();
    def.cookie = 0;
    REFUSED(firn_heights_create(&def, &kept, &error));
    assert_null(kept);
    def = square();
    def.tolerance = -1e-6;
    REFUSED(firn_heights_create(&def, &kept, &error));
    def.tolerance = NAN;
    REFUSED(firn_heights_create(&def, &kept, &error));
    assert_non_null(strstr(error.text, "tolerance"));
    REFUSED(firn_heights_update(NULL, sim, NULL));
    def = square();
    assert_int_equal(firn_heights_create(&def, &kept, &error), FIRN_OK);
    REFUSED(firn_heights_update(kept, NULL, NULL));
    assert_null(firn_heights_data(NULL));
    firn_heights_destroy(NULL);
    firn_memory_fail_at(1, true);
    assert_int_equal(firn_heights_update(kept, sim, NULL), FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
    assert_int_equal(firn_heights_update(kept, sim, NULL), FIRN_OK);
    assert_int_equal(firn_sim_heights(sim, &def, at_once), FIRN_OK);
    assert_memory_equal(firn_heights_data(kept), at_once, sizeof at_once);
    firn_heights_destroy(kept);
    firn_sim_destroy(sim);
}

int test_query_heights(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_over_a_bed), cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(snow_that_falls),   cmocka_unit_test(slow_snow_stays),
        cmocka_unit_test(sorted_snow_stays), cmocka_unit_test(no_allocation_after_the_first),
        cmocka_unit_test(the_box),           cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("query_heights", tests, NULL, NULL);
}
