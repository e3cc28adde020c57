// SPDX-License-Identifier: MIT
// PLY files, good and bad: every format and type, everything that is to be skipped, every
// truncation, absurd counts, errors with their place, damage at random. (Headers:
// test_ply_header.c)
#include "geometry/sampling/ply_points.h"

#include <locale.h>

#include "geometry/ply_text.h"
#include "seed.h"

static void plain_ascii(void** state)
{
    (void)state;
    text t = {.length = 0};
    add(&t, HEAD "comment made by hand\nelement vertex 3\n" XYZ "end_header\n"
                 "0 0.5 -1\n1e-3 +2.25E1 .5\n\n  7\t8   9  ");  // no newline at the end
    firn_ply_points p;
    read_good(&t, &p);
    assert_int_equal(p.count, 3);
    assert_equal(p.position[0].y, (firn_real)0.5);
    assert_equal(p.position[0].z, -1);
    assert_equal(p.position[1].x, (firn_real)1e-3);
    assert_equal(p.position[1].y, (firn_real)22.5);
    assert_equal(p.position[2].x, 7);
    assert_equal(p.position[2].y, 8);
    assert_equal(p.position[2].z, 9);
    assert_null(p.velocity);
    assert_null(p.mass);
    assert_null(p.density);
    firn_ply_points_destroy(&p);
    assert_null(p.position);
}

// Other elements before and after, lists inside and outside, properties in any order, CR LF.
static const char busy[] =
    "ply\r\nformat ascii 1.0\r\nobj_info nothing\r\n"
    "element camera 2\r\nproperty int id\r\nproperty list uchar float tags\r\n"
    "element empty 5\r\n"
    "element vertex 2\r\nproperty double density\r\nproperty uchar red\r\nproperty float z\r\n"
    "property float vx\r\nproperty list int int near\r\nproperty float vz\r\nproperty float vy\r\n"
    "property float y\r\nproperty float x\r\nproperty double mass\r\ncomment last\r\n"
    "element face 1\r\nproperty list uchar int vertex_indices\r\nend_header\r\n"
    "1 2 0.5 0.25\r\n2 0\r\n"
    "300 255 3 10 2 5 6 30 20 2 1 0.125\r\n"
    "400 0 6 11 0 31 21 5 4 0.5\r\n"
    "3 0 1 0\r\n";

static void busy_ascii(void** state)
{
    (void)state;
    text t = {.length = 0};
    add(&t, busy);
    firn_ply_points p;
    read_good(&t, &p);
    assert_int_equal(p.count, 2);
    for (int k = 0; k < 2; k++) {
        assert_equal(p.position[k].x, 1 + 3 * k);
        assert_equal(p.position[k].y, 2 + 3 * k);
        assert_equal(p.position[k].z, 3 + 3 * k);
        assert_equal(p.velocity[k].x, 10 + k);
        assert_equal(p.velocity[k].y, 20 + k);
        assert_equal(p.velocity[k].z, 30 + k);
        assert_equal(p.density[k], 300 + 100 * k);
    }
    assert_equal(p.mass[0], (firn_real)0.125);
    assert_equal(p.mass[1], (firn_real)0.5);
    firn_ply_points_destroy(&p);
}

// x, y, z in every scalar type, both byte orders, with a list before, inside and after.
static text binary_file(const char* type, bool big)
{
    text t = {.length = 0};
    char line[200];
    add(&t, big ? "ply\nformat binary_big_endian 1.0\n" : "ply\nformat binary_little_endian 1.0\n");
    add(&t,
        "element tag 2\nproperty list ushort short values\nproperty char c\nelement vertex 3\n");
    snprintf(line, sizeof line,
             "property %s x\nproperty %s y\nproperty list uchar double w\n"
             "property %s z\nproperty float mass\n",
             type, type, type);
    add(&t, line);
    add(&t, "element face 1\nproperty list uint uint i\nend_header\n");
    for (int k = 0; k < 2; k++) {
        add_binary(&t, "ushort", k * 3, big);
        for (int i = 0; i < 3 * k; i++) add_binary(&t, "short", -i, big);
        add_binary(&t, "char", 1, big);
    }
    for (int k = 0; k < 3; k++) {
        add_binary(&t, type, 10 * k + 1, big);
        add_binary(&t, type, 10 * k + 2, big);
        add_binary(&t, "uchar", k, big);
        for (int i = 0; i < k; i++) add_binary(&t, "double", 0.1, big);
        add_binary(&t, type, type[0] == 'u' ? 100 : -100, big);
        add_binary(&t, "float", 0.75, big);
    }
    add_binary(&t, "uint", 3, big);
    for (int i = 0; i < 3; i++) add_binary(&t, "uint", i, big);
    return t;
}

static const char* const types[] = {"char", "uchar", "short", "ushort",
                                    "int",  "uint",  "float", "double"};

static void every_binary_type(void** state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        const text t = binary_file(types[k / 2], k % 2);
        firn_ply_points p;
        read_good(&t, &p);
        assert_int_equal(p.count, 3);
        for (int i = 0; i < 3; i++) {
            assert_equal(p.position[i].x, 10 * i + 1);
            assert_equal(p.position[i].y, 10 * i + 2);
            assert_equal(p.position[i].z, types[k / 2][0] == 'u' ? 100 : -100);
            assert_equal(p.mass[i], (firn_real)0.75);
        }
        firn_ply_points_destroy(&p);
    }
}

static void large_unsigned_values(void** state)
{
    (void)state;
    text t = {.length = 0};
    add(&t, "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty uint x\n"
            "property ushort y\nproperty uchar z\nend_header\n");
    const char data[] = {0x3b, (char)0x9a, (char)0xca, 0, (char)0xff, (char)0xff, (char)0xff};
    memcpy(t.data + t.length, data, 7);
    t.length += 7;
    firn_ply_points p;
    read_good(&t, &p);
    assert_equal(p.position[0].x, 1000000000);
    assert_equal(p.position[0].y, 65535);
    assert_equal(p.position[0].z, 255);
    firn_ply_points_destroy(&p);
}

static void every_truncation_is_refused(void** state)
{
    (void)state;
    // ASCII: the last number may lose its end only where a shorter number is left
    const size_t full = strlen(busy);
    for (size_t length = 0; length < full - 3; length++) read_bad(busy, length, NULL);
    for (int k = 0; k < 4; k++) {
        const text t = binary_file(types[4 + k], k % 2);
        for (size_t length = 0; length < t.length; length++) read_bad(t.data, length, NULL);
    }
}

static void absurd_counts_are_refused_first(void** state)
{
    (void)state;
    firn_memory_budget* budget = firn_memory_budget_create(1 << 20);
    firn_memory_use(budget);
    bad_text(HEAD "element vertex 2147483647\n" XYZ "end_header\n1 2 3\n",
             "promises 2147483647 of element 'vertex'");
    bad_text(HEAD "element vertex 9223372036854775806\n" XYZ "end_header\n1 2 3\n",
             "count too large: '9223372036854775806'");
    bad_text(HEAD "element vertex 99999999999999999999\n" XYZ "end_header\n1 2 3\n",
             "points.ply:3: count too large");
    bad_text("ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\n" XYZ
             "end_header\n123456789012",
             "at least 12 bytes each, but only 12 bytes are left");
    bad_text(HEAD "element junk 900000000000\nproperty list uchar int a\nelement vertex 1\n" XYZ
                  "end_header\n1 2 3\n",
             "of element 'junk'");
    bad_text("ply\nformat binary_little_endian 1.0\nelement junk 1\nproperty list uint double a\n"
             "element vertex 0\n" XYZ "end_header\n\xff\xff\xff\xff",
             "the file ends inside list 'a'");
    bad_text(HEAD "element junk 1\nproperty list int int a\nelement vertex 1\n" XYZ
                  "end_header\n1000000000 1 2\n1 2 3\n",
             "points.ply:10: impossible length of list 'a'");
    // elements without properties take no room and no time
    text t = {.length = 0};
    add(&t, HEAD "element nothing 900000000000000\nelement vertex 1\n" XYZ "end_header\n1 2 3\n");
    firn_ply_points p;
    read_good(&t, &p);
    firn_ply_points_destroy(&p);
    firn_memory_use(NULL);
    firn_memory_budget_release(budget);
}

static void mistakes_are_named_with_their_place(void** state)
{
    (void)state;
    bad_text(HEAD "element point 0\n" XYZ "end_header\n", "there is no element 'vertex'");
    bad_text(HEAD "element vertex 1\nproperty float x\nproperty float y\nend_header\n1 2\n",
             "has no property 'z'");
    bad_text(HEAD "element vertex 1\n" XYZ "property float vy\nend_header\n1 2 3 4\n",
             "has no property 'vx'");
    bad_text(HEAD "element vertex 1\nproperty list char int x\nproperty int y\nproperty int z\n"
                  "end_header\n1 5 2 3\n",
             "'x' of 'vertex' is a list");
    bad_text(HEAD "element vertex 2\n" XYZ "end_header\n1 2 3\n1 2 \n1",
             "points.ply:9: the line ends before 'z'");
    bad_text(HEAD "element vertex 2\n" XYZ "end_header\n1 2 3\n1 2 3 4\n",
             "points.ply:9: more numbers");
    bad_text(HEAD "element vertex 2\n" XYZ "end_header\n1 2 3\n1 b 3\n",
             "points.ply:9: not a number for 'y'");
    bad_text(HEAD "element vertex 2\n" XYZ "end_header\n1 2 3\n1 2x 3\n",
             "points.ply:9: not a number for 'y'");
    bad_text(HEAD "element vertex 2\n" XYZ "end_header\n1 2 3\n1,5 2 3\n", "not a number for 'x'");
    bad_text(HEAD "element vertex 1\n" XYZ "end_header\n1 nan 3\n", "point 1: y is nan");
    bad_text(HEAD "element vertex 1\n" XYZ "end_header\n1 2 -inf\n", "point 1: z is -inf");
    bad_text(HEAD "element vertex 1\n" XYZ "end_header\n1 1e10 0\n", "point 1: y is 1e+10");
    bad_text(HEAD "element vertex 2\n" XYZ "property float mass\nend_header\n1 2 3 1\n1 2 3 0\n",
             "point 2: mass is 0");
    bad_text("ply\nformat binary_little_endian 1.0\nelement t 1\nproperty list char int l\n"
             "element vertex 0\n" XYZ "end_header\n\xfe",
             "byte 152: negative length of list 'l'");
    firn_error error;
    firn_ply_points p = {0};
    assert_int_equal(firn_ply_read_points(FIRN_TEST_TMP "/none.ply", &p, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "none.ply");
}

static void no_points_is_a_file_too(void** state)
{
    (void)state;
    text t = {.length = 0};
    add(&t, HEAD "element vertex 0\n" XYZ "end_header\n");
    firn_ply_points p;
    read_good(&t, &p);
    assert_int_equal(p.count, 0);
    firn_ply_points_destroy(&p);
}

// A decimal comma in the user's language must not change numbers.
static void locale_does_not_matter(void** state)
{
    (void)state;
    const char* names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char* set = NULL;
    for (int k = 0; k < 4 && set == NULL; k++) set = setlocale(LC_NUMERIC, names[k]);
    print_message("locale: %s\n", set == NULL ? "none with a comma is installed" : set);
    text t = {.length = 0};
    add(&t, HEAD "element vertex 1\n" XYZ "end_header\n1.5 2.25 3.125\n");
    firn_ply_points p;
    read_good(&t, &p);
    setlocale(LC_NUMERIC, "C");
    assert_equal(p.position[0].x, (firn_real)1.5);
    assert_equal(p.position[0].z, (firn_real)3.125);
    firn_ply_points_destroy(&p);
}

static void damage_does_no_harm(void** state)
{
    (void)state;
    any_source r = any_start(101);
    int accepted = 0;
    for (int q = 0; q < 8000; q++) {
        text t;
        if (q % 2) {
            t = binary_file(types[any_below(&r, 8)], any_below(&r, 2));
        } else {
            t.length = strlen(busy);
            memcpy(t.data, busy, t.length);
        }
        const int changes = 1 + any_below(&r, 4);
        for (int k = 0; k < changes; k++) {
            const size_t at = (size_t)any_below(&r, (int)t.length);
            switch (any_below(&r, 4)) {
            case 0: t.data[at] = (char)any_below(&r, 256); break;
            case 1: t.data[at] = (char)('0' + any_below(&r, 10)); break;
            case 2: t.length = at + 1; break;
            default: memmove(t.data + at, t.data + at + 1, t.length - at - 1), t.length--; break;
            }
            if (t.length < 2) break;
        }
        write_file(t.data, t.length);
        firn_ply_points p = {0};
        const uint64_t before = firn_memory_read().bytes;
        if (firn_ply_read_points(PATH, &p, NULL) == FIRN_OK) {
            accepted++;
            for (firn_local k = 0; k < p.count; k++) assert_true(firn_v3_is_finite(p.position[k]));
        }
        firn_ply_points_destroy(&p);
        assert_equal(firn_memory_read().bytes, before);
    }
    print_message("%d of 8000 accepted\n", accepted);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    write_file(busy, strlen(busy));
    const uint64_t before = firn_memory_read().bytes;
    for (int forever = 0; forever < 2; forever++) {
        uint64_t k = 1;
        for (bool done = false; !done; k++) {
            firn_ply_points p = {0};
            firn_memory_fail_at(k, forever);
            const firn_result result = firn_ply_read_points(PATH, &p, NULL);
            firn_memory_fail_at(0, false);
            done = result == FIRN_OK;
            if (!done) assert_int_equal(result, FIRN_BROKEN_MEMORY);
            firn_ply_points_destroy(&p);
            assert_equal(firn_memory_read().bytes, before);
        }
        assert_int_equal(k, 8);  // file, header, four arrays; then success
    }
}

int test_ply_points(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain_ascii),
                                       cmocka_unit_test(busy_ascii),
                                       cmocka_unit_test(every_binary_type),
                                       cmocka_unit_test(large_unsigned_values),
                                       cmocka_unit_test(every_truncation_is_refused),
                                       cmocka_unit_test(absurd_counts_are_refused_first),
                                       cmocka_unit_test(mistakes_are_named_with_their_place),
                                       cmocka_unit_test(no_points_is_a_file_too),
                                       cmocka_unit_test(locale_does_not_matter),
                                       cmocka_unit_test(damage_does_no_harm),
                                       cmocka_unit_test(memory_may_run_out_anywhere)};
    return cmocka_run_group_tests_name("ply_points", tests, NULL, NULL);
}
