// SPDX-License-Identifier: MIT
// The scene as data: copies are whole and independent, also when memory runs out.
#include "geometry/collider/collider.h"
#include "scene/scene_fixture.h"
#include "scene/scene_text.h"
#include "scene/write/scene_write.h"

static void test_copy(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(full_scene, &(firn_scene_options){.variant = "paper"});
    firn_scene_data copy;
    assert_int_equal(firn_scene_data_copy(&s, &copy), FIRN_OK);
    assert_equal(copy.hash, s.hash);
    assert_string_equal(copy.effective, s.effective);
    assert_string_equal(copy.variant, "paper");
    assert_ptr_not_equal(copy.name, s.name);
    assert_string_equal(toy(&copy)->note, "hello");
    assert_ptr_not_equal(toy(&copy)->note, toy(&s)->note);
    assert_int_equal(copy.variant_count, 2);
    assert_int_equal(copy.location_count, s.location_count);
    assert_ptr_not_equal(copy.colliders[2].motion.keys, s.colliders[2].motion.keys);
    firn_scene_data_destroy(&s);
    // The copy stands on its own, and can be written and read.
    firn_diagnostics d = {0};
    firn_scene_data_check(&copy, &d);
    firn_diagnostics_destroy(&d);
    const uint64_t hash = copy.hash;
    firn_scene_data_changed(&copy);
    assert_null(copy.effective);
    assert_equal(copy.hash, hash);
    char* text = firn_scene_to_yaml(&copy);
    firn_scene_data again = parse_good(text, NULL);
    assert_equal(again.hash, hash);
    firn_free(text);
    firn_scene_data_destroy(&again);
    firn_scene_data_destroy(&copy);
}

static void test_copy_of_empty(void** state)
{
    (void)state;
    firn_scene_data s, copy;
    firn_scene_data_init(&s);
    assert_int_equal(firn_scene_data_copy(&s, &copy), FIRN_OK);
    assert_memory_equal(&copy.time, &s.time, sizeof s.time);
    firn_scene_data_destroy(&copy);
    firn_scene_data_destroy(&s);
}

static void test_copy_without_memory(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(full_scene, NULL);
    const uint64_t before = firn_memory_read().bytes;
    for (int forever = 0; forever < 2; forever++) {
        int k = 1;
        for (;; k++) {
            firn_scene_data copy;
            firn_memory_fail_at((uint64_t)k, forever != 0);
            const firn_result result = firn_scene_data_copy(&s, &copy);
            firn_memory_fail_at(0, false);
            if (result == FIRN_OK) {
                firn_scene_data_destroy(&copy);
                break;
            }
            assert_int_equal(result, FIRN_BROKEN_MEMORY);
            assert_null(copy.name);
            assert_equal(firn_memory_read().bytes, before);
        }
        assert_greater(k, 30);
    }
    firn_scene_data_destroy(&s);
}

int test_scene_data(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_copy),
                                       cmocka_unit_test(test_copy_of_empty),
                                       cmocka_unit_test(test_copy_without_memory)};
    return cmocka_run_group_tests_name("scene_data", tests, NULL, NULL);
}
