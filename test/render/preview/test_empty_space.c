// SPDX-License-Identifier: MIT
// Empty space around a level set: never farther than the surface is, and farther than phi says.
#include "render/preview/empty_space.h"

#include "core/memory.h"
#include "firn_test.h"
#include "geometry/levelset/level_set_sample.h"
#include "math/random.h"

// A hollow ball: a shell of radius 1 about the origin, 0.1 thick, and a small ball in its middle.
static firn_real shell(const void* context, firn_vec3 x)
{
    (void)context;
    const firn_real r = firn_v3_length(x);
    return firn_min(firn_abs(r - 1) - (firn_real)0.05, r - (firn_real)0.1);
}

static void bounds_the_distance(void** state)
{
    (void)state;
    const firn_level_set* set = NULL;
    firn_empty_space space;
    const firn_real voxel = (firn_real)0.02;
    const firn_box3 box = {firn_v3((firn_real)-1.2, (firn_real)-1.2, (firn_real)-1.2),
                           firn_v3((firn_real)1.2, (firn_real)1.2, (firn_real)1.2)};
    assert_int_equal(firn_level_set_build(box, voxel, 3 * voxel, shell, NULL, &set, NULL), FIRN_OK);
    assert_int_equal(firn_empty_space_create(set, &space, NULL), FIRN_OK);
    int farther = 0;
    for (uint64_t k = 0; k < 20000; k++) {
        const firn_vec3 x = firn_v3((firn_real)(3 * firn_random_unit(1, k) - 1.5),
                                    (firn_real)(3 * firn_random_unit(2, k) - 1.5),
                                    (firn_real)(3 * firn_random_unit(3, k) - 1.5));
        const firn_real clear = firn_empty_space_at(&space, x);
        // phi is trilinear: its surface is off by less than a voxel
        if (clear > 0) assert_true(clear <= shell(NULL, x) + voxel);
        farther += clear > set->band;
    }
    assert_true(farther > 1000);
    assert_true(firn_empty_space_at(&space, firn_v3((firn_real)0.5, 0, 0)) > set->band);
    assert_true(firn_empty_space_at(&space, firn_v3(1, 0, 0)) == 0);
    assert_true(firn_empty_space_at(&space, firn_v3(NAN, 0, 0)) == 0);
    firn_empty_space_destroy(&space);
    assert_true(firn_empty_space_at(&space, firn_v3(0, 0, 0)) == 0);
    firn_level_set_release(set);
}

int test_empty_space(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_the_distance)};
    return cmocka_run_group_tests_name("empty_space", tests, NULL, NULL);
}
