// SPDX-License-Identifier: MIT
// A path in small steps, as GPUs trace it, gives the bits of the scalar integrators, whatever the
// order of steps; pictures made so are those of the CPU.
#include "render/path/lanes/lane.h"

#include "render/path/picture_scenes.h"

#include "render/path/lanes/host_lanes.h"

static firn_film trace_lanes(struct host_lanes_way way, const firn_scene_data* scene, const ball* b,
                             firn_picture_stats* stats)
{
    const struct host_lanes_way before = host_lanes_way;
    host_lanes_way = way;
    firn_film film = trace_on(&picture_on_host_lanes, 0, scene, &b->snow, 1, stats);
    host_lanes_way = before;
    return film;
}

// Normals may differ in their last bits: some SIMD levels of the CPU fuse their sums.
static void check_same(const firn_film* a, const firn_film* b, const char* what)
{
    for (int k = 0; k < a->width * a->height; k++) {
        firn_film_pixel p = a->pixels[k], q = b->pixels[k];
        for (int c = 0; c < 3; c++) {
            assert_near(p.normal[c], q.normal[c], 1e-5f * (float)p.count);
            p.normal[c] = q.normal[c] = p.normal_m2[c] = q.normal_m2[c] = 0;
        }
        if (memcmp(&p, &q, sizeof p) != 0) fail_msg("%s: other bits in pixel %d", what, k);
    }
}

// Without surfaces the CPU asks Embree, which counts as a ray.
static void check_same_counts(const firn_picture_stats* a, const firn_picture_stats* b)
{
    assert_equal(a->paths, b->paths);
    assert_equal(a->passes, b->passes);
    assert_equal(a->events, b->events);
    assert_equal(a->lookups, b->lookups);
    assert_equal(a->bounces, b->bounces);
    if (a->rays > 0) assert_equal(a->rays, b->rays);
    assert_equal(a->noise, b->noise);
}

// Tiles were finished at different passes, all before the last one.
static void check_early_tiles(const firn_film* film, const firn_picture_stats* stats)
{
    uint32_t fewest = UINT32_MAX, most = 0;
    for (int k = 0; k < film->width * film->height; k++) {
        const uint32_t n = film->pixels[k].count;
        fewest = n < fewest ? n : fewest;
        most = n > most ? n : most;
    }
    print_message("noise target: %d to %d samples\n", (int)fewest, (int)most);
    assert_less(fewest, most);
    assert_equal(most, stats->passes);
    assert_less(most, 400);
}

// Each scene: warps that turn eagerly or late, batches of other sizes, jobs from the end; against
// one path after the other through the same BVH.
static void steps_do_not_matter(void** state)
{
    (void)state;
    ball* b = make_ball();
    for (int k = 0; k < PICTURE_CASES; k++) {
        const picture_case* c = &picture_cases[k];
        firn_scene_data scene = picture_case_scene(c, "", b);
        firn_picture_stats plain_stats, stats;
        firn_film plain = trace_lanes((struct host_lanes_way){.scalar = true, .room = 3}, &scene, b,
                                      &plain_stats);
        static const struct host_lanes_way ways[] = {
            {.waiting = 1, .rare = 1, .room = 3},
            {.waiting = 32, .rare = 20, .room = 6, .reverse = true}};
        for (int w = 0; w < 2; w++) {
            firn_film film = trace_lanes(ways[w], &scene, b, &stats);
            check_same(&film, &plain, c->name);
            check_same_counts(&stats, &plain_stats);
            firn_film_destroy(&film);
        }
        assert_greater(plain_stats.events, 1000);
        if (c->noise_target) check_early_tiles(&plain, &plain_stats);
        firn_film_destroy(&plain);
        firn_scene_data_destroy(&scene);
    }
    firn_free(b);
}

// Against the CPU with Embree: the same bits where nothing is met by Embree.
static void pictures_are_those_of_the_cpu(void** state)
{
    (void)state;
    ball* b = make_ball();
    for (int k = 0; k < PICTURE_CASES; k++) {
        const picture_case* c = &picture_cases[k];
        if (c->by_embree) continue;
        firn_scene_data scene = picture_case_scene(c, "", b);
        firn_picture_stats cpu_stats, stats;
        firn_film cpu = trace(&scene, &b->snow, 2, &cpu_stats);
        firn_film film = trace_lanes(host_lanes_way, &scene, b, &stats);
        check_same(&film, &cpu, c->name);
        check_same_counts(&stats, &cpu_stats);
        firn_film_destroy(&cpu);
        firn_film_destroy(&film);
        firn_scene_data_destroy(&scene);
    }
    firn_free(b);
}

// Elsewhere hits differ by rounding, and paths part: pixels differ as far as their noise says. The
// square of a difference over its variance has the mean 1 for independent pictures, less for those
// that share random numbers.
static void pictures_with_bodies_agree(void** state)
{
    (void)state;
    ball* b = make_ball();
    for (int k = 0; k < PICTURE_CASES; k++) {
        const picture_case* c = &picture_cases[k];
        if (!c->by_embree) continue;
        firn_scene_data scene = picture_case_scene(c, "", b);
        firn_picture_stats cpu_stats, stats;
        firn_film cpu = trace(&scene, &b->snow, 2, &cpu_stats);
        firn_film film = trace_lanes(host_lanes_way, &scene, b, &stats);
        check_agreement(&film, &cpu, c->name);
        firn_film_destroy(&cpu);
        firn_film_destroy(&film);
        firn_scene_data_destroy(&scene);
    }
    firn_free(b);
}

int test_lanes(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_do_not_matter),
                                       cmocka_unit_test(pictures_are_those_of_the_cpu),
                                       cmocka_unit_test(pictures_with_bodies_agree)};
    return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
