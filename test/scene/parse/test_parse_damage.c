// SPDX-License-Identifier: MIT
// Damaged scenes and failing memory: an error at worst, never a crash, a hang or a leak.
#include "math/random.h"
#include "scene/scene_fixture.h"
#include "scene/scene_text.h"

#define CYCLES 8000  // RELIABILITY: per format, in CI
#define SEED 20130717

typedef struct dice {
    uint64_t seed, at;
} dice;

static size_t roll(dice* d, size_t sides)
{
    return (size_t)(firn_random_bits(d->seed, d->at++) % sides);
}

// One change to the text: a bit, a byte, a part cut, doubled or replaced, or the end lost.
static size_t damage(dice* d, char* text, size_t length, size_t capacity)
{
    static const char* const pieces[] = {"[",         "]",
                                         "{",         "}",
                                         ": ",        "- ",
                                         "\n",        "  ",
                                         "\t",        "*ball",
                                         "&x ",       "!!x ",
                                         "\"",        "'",
                                         "|",         ">",
                                         "#",         "? ",
                                         "null",      "-1",
                                         "1e999",     "9999999999999999999",
                                         ".nan",      "m",
                                         "<<: *ball", "---\n",
                                         "...\n",     "%YAML 3.0\n",
                                         "\xff",      "\xef\xbf\xbf"};
    if (length == 0) return 0;
    const size_t at = roll(d, length);
    size_t span = 1 + roll(d, 40);
    if (at + span > length) span = length - at;
    switch (roll(d, 6)) {
    case 0: text[at] ^= (char)(1 << roll(d, 8)); return length;
    case 1: text[at] = (char)roll(d, 256); return length;
    case 2: return at;  // truncated
    case 3: memmove(text + at, text + at + span, length - at - span); return length - span;
    case 4:
        if (length + span > capacity) return length;
        memmove(text + at + span, text + at, length - at);
        return length + span;
    default: {
        const char* piece = pieces[roll(d, sizeof pieces / sizeof *pieces)];
        const size_t n = strlen(piece);
        if (length + n > capacity) return length;
        memmove(text + at + n, text + at, length - at);
        memcpy(text + at, piece, n);
        return length + n;
    }
    }
}

// The scene without its height field: a damaged one may ask for millions of samples.
static size_t make_base(char* text, size_t capacity)
{
    const char* begin = strstr(full_scene, "{height_field");
    const char* end = strchr(begin, '\n');
    const int n = snprintf(text, capacity, "%.*s{box: {size: [1, 1, 1]}}%s",
                           (int)(begin - full_scene), full_scene, end);
    assert_greater(n, 0);
    assert_less((size_t)n, capacity);
    return (size_t)n;
}

static void test_damaged_texts(void** state)
{
    (void)state;
    static char base[8192], text[16384];
    const size_t base_length = make_base(base, sizeof base);
    dice d = {SEED, 0};
    int accepted = 0;
    for (int i = 0; i < CYCLES; i++) {
        memcpy(text, base, base_length);
        size_t length = base_length;
        for (size_t k = 1 + roll(&d, 4); k > 0; k--) length = damage(&d, text, length, sizeof text);
        const uint64_t before = firn_memory_read().bytes;
        firn_scene_data scene;
        firn_diagnostics diagnostics = {0};
        const firn_result result = parse_length(text, length, NULL, &scene, &diagnostics);
        assert_either(result, FIRN_OK, FIRN_REFUSED_SCENE);
        assert_equal(result == FIRN_OK, diagnostics.error_count == 0);
        for (firn_local k = 0; k < diagnostics.count; k++) {
            assert_at_least(diagnostics.items[k].line, 1);
            assert_at_least(diagnostics.items[k].column, 1);
        }
        if (result == FIRN_OK) {
            accepted++;
            firn_scene_data_check(&scene, &diagnostics);
            firn_scene_data_destroy(&scene);
        }
        firn_diagnostics_destroy(&diagnostics);
        assert_equal(firn_memory_read().bytes, before);
    }
    print_message("seed %d: %d of %d damaged scenes still mean something\n", SEED, accepted,
                  CYCLES);
    assert_greater(accepted, CYCLES / 100);
    assert_less(accepted, CYCLES / 2);
}

static void test_every_truncation(void** state)
{
    (void)state;
    static char base[8192];
    const size_t length = make_base(base, sizeof base);
    const uint64_t before = firn_memory_read().bytes;
    for (size_t n = 0; n < length; n++) {
        firn_scene_data scene;
        firn_diagnostics diagnostics = {0};
        if (parse_length(base, n, NULL, &scene, &diagnostics) == FIRN_OK)
            firn_scene_data_destroy(&scene);
        firn_diagnostics_destroy(&diagnostics);
    }
    assert_equal(firn_memory_read().bytes, before);
}

// The k-th allocation fails, once or for ever, until parsing needs fewer than k.
static void fail_each_allocation(const char* text, const char* variant, firn_result in_the_end)
{
    for (int forever = 0; forever < 2; forever++) {
        const uint64_t before = firn_memory_read().bytes;
        uint64_t k = 1;
        for (;; k++) {
            firn_scene_data scene;
            firn_diagnostics diagnostics = {0};
            const uint64_t count = firn_memory_read().allocations;
            firn_memory_fail_at(k, forever != 0);
            const firn_result result =
                parse_length(text, strlen(text), &(firn_scene_options){.variant = variant}, &scene,
                             &diagnostics);
            firn_memory_fail_at(0, false);
            const bool done = firn_memory_read().allocations - count < k;
            if (result == FIRN_OK) firn_scene_data_destroy(&scene);
            assert_null(scene.name);
            firn_diagnostics_destroy(&diagnostics);
            assert_equal(firn_memory_read().bytes, before);
            if (done && result == in_the_end) break;
            // A lost message may leave the scene refused; a good scene is never accepted half.
            assert_true(result == FIRN_BROKEN_MEMORY ||
                        (in_the_end == FIRN_REFUSED_SCENE && result == FIRN_REFUSED_SCENE));
            if (k > 5000) fail_msg("never succeeds");
        }
        assert_greater(k, 5);
    }
}

static void test_failing_memory(void** state)
{
    (void)state;
    static char base[8192];
    make_base(base, sizeof base);
    fail_each_allocation(base, "paper", FIRN_OK);
    fail_each_allocation(
        "firn: 1\nmpm: {cel: 1}\nsnow:\n- {shape: {sphere: {radus: 1}}, material: x}\n", NULL,
        FIRN_REFUSED_SCENE);
    fail_each_allocation("firn: 1\nmpm: {\n", NULL, FIRN_REFUSED_SCENE);
}

static void test_size_limits(void** state)
{
    (void)state;
    const size_t limit = 4 << 20;
    char* text = firn_alloc(limit + 2, 1);
    memset(text, '#', limit + 1);
    memcpy(text, "firn: 1\n", 8);
    firn_scene_data scene;
    firn_diagnostics d = {0};
    assert_int_equal(parse_length(text, limit, NULL, &scene, &d), FIRN_OK);
    firn_scene_data_destroy(&scene);
    assert_int_equal(parse_length(text, limit + 1, NULL, &scene, &d), FIRN_REFUSED_SCENE);
    assert_true(has_message(&d, 1, 1, "at most 4 MB"));
    firn_diagnostics_destroy(&d);
    // Brackets and commas without end are refused before libfyaml stores them.
    memset(text, '[', limit);
    assert_int_equal(parse_length(text, limit, NULL, &scene, &d), FIRN_REFUSED_SCENE);
    assert_true(has_message(&d, 1, 201, "nested too deeply"));
    firn_diagnostics_destroy(&d);
    for (size_t i = 0; i < limit; i += 2) memcpy(text + i, i == 0 ? "[ " : "a,", 2);
    assert_int_equal(parse_length(text, limit, NULL, &scene, &d), FIRN_REFUSED_SCENE);
    assert_contains(d.items[0].message, "brackets and commas");
    firn_diagnostics_destroy(&d);
    for (size_t i = 0; i < limit; i += 4) memcpy(text + i, "- a\n", 4);
    assert_int_equal(parse_length(text, limit, NULL, &scene, &d), FIRN_REFUSED_SCENE);
    assert_contains(d.items[0].message, "more than 400000 values");
    firn_diagnostics_destroy(&d);
    firn_free(text);
}

int test_parse_damage(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damaged_texts), cmocka_unit_test(test_every_truncation),
        cmocka_unit_test(test_failing_memory), cmocka_unit_test(test_size_limits)};
    return cmocka_run_group_tests_name("parse_damage", tests, NULL, NULL);
}
