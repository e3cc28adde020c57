// SPDX-License-Identifier: MIT
// Fragments: known fragments give known numbers, whichever way they hang together and wherever they
// cross from block to block.
#include "state/volume/fragments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "math/random.h"
#include "math/vec3.h"

#define VOXEL 0.5
#define CUBE (VOXEL * VOXEL * VOXEL)

// A volume over blocks -1..1 along each axis, empty.
enum { SIDE = 3, BLOCKS = SIDE * SIDE * SIDE };
typedef struct room {
    firn_density_volume volume;
    int32_t origin[BLOCKS][3];
    float density[BLOCKS * 512];
    float velocity[BLOCKS * 512 * 3];
} room;

static room* make_room(bool moving)
{
    room* r = firn_alloc(1, sizeof *r);
    assert_non_null(r);
    for (int b = 0; b < BLOCKS; b++) {
        r->origin[b][0] = 8 * (b / 9 - 1);
        r->origin[b][1] = 8 * (b / 3 % 3 - 1);
        r->origin[b][2] = 8 * (b % 3 - 1);
    }
    r->volume = (firn_density_volume){.voxel = VOXEL,
                                      .block_count = BLOCKS,
                                      .origin = r->origin,
                                      .density = r->density,
                                      .velocity = moving ? r->velocity : NULL};
    return r;
}

static size_t index_of(int x, int y, int z)
{
    const int b = ((x + 8) / 8 * 3 + (y + 8) / 8) * 3 + (z + 8) / 8;
    return (size_t)b * 512 + (size_t)((x & 7) << 6 | (y & 7) << 3 | (z & 7));
}

static void put_box(room* r, const int low[3], const int high[3], float density, float vx)
{
    for (int x = low[0]; x <= high[0]; x++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int z = low[2]; z <= high[2]; z++) {
                r->density[index_of(x, y, z)] = density;
                r->velocity[3 * index_of(x, y, z)] = vx;
            }
}

static firn_fragments find(const room* r, double threshold, bool by_corners)
{
    firn_fragments f;
    firn_error error = {0};
    if (firn_fragments_find(&r->volume, threshold, by_corners, &f, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return f;
}

static void boxes_are_told_apart_and_weighed(void** state)
{
    (void)state;
    room* r = make_room(true);
    put_box(r, (int[]){-8, -8, -8}, (int[]){-6, -7, -8}, 200, 1);  // 6 voxels
    put_box(r, (int[]){-3, -2, -1}, (int[]){4, 2, 1}, 400, -2);    // 120, through eight blocks
    put_box(r, (int[]){10, 10, 10}, (int[]){11, 11, 11}, 90, 3);   // 8, under the threshold
    put_box(r, (int[]){14, 14, 14}, (int[]){15, 15, 15}, 300, 4);  // 8
    firn_fragments f = find(r, 100, false);
    assert_int_equal(f.count, 3);
    const firn_fragment* big = &f.items[0];
    assert_int_equal(big->voxel_count, 120);
    // sums of equal terms in double
    assert_near(big->mass, 120 * 400 * CUBE, 1e-9);
    assert_near(big->center[0], 0.5 * VOXEL, 1e-12);
    assert_near(big->center[1], 0, 1e-12);
    assert_near(big->center[2], 0, 1e-12);
    assert_equal(big->velocity[0], -2);
    assert_equal(big->velocity[1], 0);
    assert_int_equal(big->low[0], -3);
    assert_int_equal(big->high[0], 4);
    assert_int_equal(big->low[2], -1);
    assert_int_equal(big->high[1], 2);
    assert_int_equal(f.items[1].voxel_count, 8);  // 8 at 300 outweigh 6 at 200
    assert_near(f.items[1].mass, 8 * 300 * CUBE, 1e-9);
    assert_equal(f.items[1].velocity[0], 4);
    assert_int_equal(f.items[2].voxel_count, 6);
    firn_fragments_destroy(&f);
    f = find(r, 90, false);  // the threshold itself counts
    assert_int_equal(f.count, 4);
    firn_fragments_destroy(&f);
    firn_free(r);
}

static void labels_say_where_a_point_is(void** state)
{
    (void)state;
    room* r = make_room(false);
    put_box(r, (int[]){-1, -1, -1}, (int[]){1, 1, 1}, 400, 0);
    put_box(r, (int[]){3, 0, 0}, (int[]){3, 0, 0}, 350, 0);  // of two neighbours the nearer counts
    put_box(r, (int[]){5, 5, 5}, (int[]){5, 5, 5}, 300, 0);
    const firn_fragments f = find(r, 100, true);
    assert_int_equal(f.count, 3);
    assert_equal(f.items[0].velocity[0], 0);
    const firn_density_volume* v = &r->volume;
    assert_int_equal(firn_fragments_at(&f, v, firn_v3(0, 0, 0)), 0);
    const firn_real edge = (firn_real)(1.99 * VOXEL), over = (firn_real)(2.01 * VOXEL);
    assert_int_equal(firn_fragments_at(&f, v, firn_v3(0, -edge, edge)), 0);
    assert_int_equal(firn_fragments_at(&f, v, firn_v3((firn_real)(1.9 * VOXEL), 0, 0)), 0);
    assert_int_equal(firn_fragments_at(&f, v, firn_v3((firn_real)(2.1 * VOXEL), 0, 0)), 1);
    assert_int_equal(firn_fragments_at(&f, v, firn_v3(0, 0, over)), FIRN_FRAGMENT_NONE);
    assert_int_equal(firn_fragments_at(&f, v, firn_v3(0, -over, 0)), FIRN_FRAGMENT_NONE);
    assert_int_equal(firn_fragments_at(&f, v, firn_v3(2.5f, 2.4f, 2.6f)), 2);
    assert_int_equal(firn_fragments_at(&f, v, firn_v3(100, 0, 0)), FIRN_FRAGMENT_NONE);
    assert_int_equal(firn_fragments_at(&f, v, firn_v3(1e30f, 0, 0)), FIRN_FRAGMENT_NONE);
    firn_fragments copy = f;
    firn_fragments_destroy(&copy);
    firn_free(r);
}

// Two voxels in every relation of neighbourhood, at every corner, edge, face and inside of a block.
static void neighbours_touch_across_blocks(void** state)
{
    (void)state;
    room* r = make_room(false);
    static const int places[3] = {0, 3, 7};
    for (int n = 0; n < 27; n++)
        for (int way = 0; way < 27; way++) {
            const int at[3] = {places[n / 9], places[n / 3 % 3], places[n % 3]};
            const int step[3] = {way / 9 - 1, way / 3 % 3 - 1, way % 3 - 1};
            const int off = abs(step[0]) + abs(step[1]) + abs(step[2]);
            if (off == 0) continue;
            const size_t a = index_of(at[0], at[1], at[2]);
            const size_t b = index_of(at[0] + step[0], at[1] + step[1], at[2] + step[2]);
            r->density[a] = r->density[b] = 400;
            firn_fragments f = find(r, 100, false);
            assert_int_equal(f.count, off == 1 ? 1 : 2);
            firn_fragments_destroy(&f);
            f = find(r, 100, true);
            assert_int_equal(f.count, 1);
            firn_fragments_destroy(&f);
            r->density[a] = r->density[b] = 0;
        }
    firn_free(r);
}

// A snake that turns back: joined late, when both ends have been named already.
static void a_comb_is_one_fragment(void** state)
{
    (void)state;
    room* r = make_room(false);
    for (int x = -8; x < 16; x += 2)
        put_box(r, (int[]){x, -8, 0}, (int[]){x, 14, 0}, 400, 0);  // teeth
    firn_fragments f = find(r, 100, true);
    assert_int_equal(f.count, 12);
    for (int k = 1; k < 12; k++) {  // equal ones stand in the order of x
        assert_equal(f.items[k].mass, f.items[0].mass);
        assert_greater(f.items[k].center[0], f.items[k - 1].center[0]);
    }
    firn_fragments_destroy(&f);
    put_box(r, (int[]){-8, 15, 0}, (int[]){15, 15, 0}, 400, 0);  // back
    f = find(r, 100, false);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.items[0].voxel_count, 12 * 23 + 24);
    firn_fragments_destroy(&f);
    firn_free(r);
}

// Fragments of noise, against a slow flood fill.
static int flood(const room* r, uint8_t* seen, int x, int y, int z)
{
    if (x < -8 || y < -8 || z < -8 || x > 15 || y > 15 || z > 15) return 0;
    const size_t k = index_of(x, y, z);
    if (seen[k] || r->density[k] < 100) return 0;
    seen[k] = 1;
    int count = 1;
    for (int way = 0; way < 6; way++) {
        const int step = way % 2 * 2 - 1;
        count += flood(r, seen, x + (way / 2 == 0 ? step : 0), y + (way / 2 == 1 ? step : 0),
                       z + (way / 2 == 2 ? step : 0));
    }
    return count;
}

static void noise_agrees_with_flooding(void** state)
{
    (void)state;
    static uint8_t seen[BLOCKS * 512];
    room* r = make_room(false);
    for (size_t k = 0; k < BLOCKS * 512; k++)
        r->density[k] = (float)(300 * firn_random_unit(7, k) - 110);  // a third is over 100
    memset(seen, 0, sizeof seen);
    int64_t fragments = 0, largest = 0, voxels = 0;
    for (int x = -8; x < 16; x++)
        for (int y = -8; y < 16; y++)
            for (int z = -8; z < 16; z++) {
                const int count = flood(r, seen, x, y, z);
                fragments += count > 0;
                voxels += count;
                largest = count > largest ? count : largest;
            }
    const firn_fragments f = find(r, 100, false);
    assert_int_equal(f.count, fragments);
    int64_t total = 0, most = 0;
    for (firn_local i = 0; i < f.count; i++) {
        total += f.items[i].voxel_count;
        most = f.items[i].voxel_count > most ? f.items[i].voxel_count : most;
        if (i > 0) assert_at_most(f.items[i].mass, f.items[i - 1].mass);
    }
    assert_int_equal(total, voxels);
    assert_int_equal(most, largest);
    for (size_t k = 0; k < BLOCKS * 512; k++)
        assert_int_equal(f.label[k] == FIRN_FRAGMENT_NONE, r->density[k] < 100);
    firn_fragments copy = f;
    firn_fragments_destroy(&copy);
    firn_free(r);
}

static void nothing_and_nonsense(void** state)
{
    (void)state;
    room* r = make_room(false);
    firn_fragments f = find(r, 100, true);
    assert_int_equal(f.count, 0);
    firn_fragments_destroy(&f);
    firn_error error = {0};
    assert_int_equal(firn_fragments_find(&r->volume, 0, true, &f, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "threshold is 0");
    assert_int_equal(firn_fragments_find(&r->volume, NAN, true, &f, NULL), FIRN_REFUSED_ARGUMENT);
    const firn_density_volume empty = {.voxel = 1};
    assert_int_equal(firn_fragments_find(&empty, 1, true, &f, NULL), FIRN_OK);
    assert_int_equal(f.count, 0);
    assert_int_equal(firn_fragments_at(&f, &empty, firn_v3(0, 0, 0)), FIRN_FRAGMENT_NONE);
    firn_fragments_destroy(&f);
    firn_free(r);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    room* r = make_room(false);
    for (int x = -8; x < 16; x += 2) put_box(r, (int[]){x, -8, 0}, (int[]){x, 14, 0}, 400, 0);
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1;; k++) {
        firn_fragments f = {0};
        firn_memory_fail_at(k, false);
        const firn_result result = firn_fragments_find(&r->volume, 100, true, &f, NULL);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) {
            firn_fragments_destroy(&f);
            break;
        }
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_int_equal(firn_memory_read().bytes, before);
        failures++;
    }
    assert_at_least(failures, 5);
    firn_free(r);
}

int test_fragments(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_told_apart_and_weighed),
        cmocka_unit_test(labels_say_where_a_point_is),
        cmocka_unit_test(neighbours_touch_across_blocks),
        cmocka_unit_test(a_comb_is_one_fragment),
        cmocka_unit_test(noise_agrees_with_flooding),
        cmocka_unit_test(nothing_and_nonsense),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("fragments", tests, NULL, NULL);
}
