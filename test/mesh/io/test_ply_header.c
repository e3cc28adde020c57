// SPDX-License-Identifier: MIT
// Headers of PLY files: what is wrong is named with its line, and limits hold.
#include "mesh/io/ply_header.h"

#include <stdlib.h>

#include "geometry/ply_text.h"

static void mistakes_are_named_with_their_place(void** state)
{
    (void)state;
    bad_text("", "not a PLY file");
    bad_text("plywood\n", "not a PLY file");
    bad_text("ply\nelement vertex 1\n" XYZ "end_header\n1 2 3\n", "no line 'format'");
    bad_text("ply\nformat ascii 2.0\n", "points.ply:2: unknown PLY version '2.0'");
    bad_text("ply\nformat morse 1.0\n", "points.ply:2: unknown format");
    bad_text(HEAD "format ascii 1.0\n", "points.ply:3: a second line 'format'");
    bad_text(HEAD "elephant vertex 1\n", "points.ply:3: unknown word in the header: 'elephant'");
    bad_text(HEAD "property float x\n", "points.ply:3: a property before the first element");
    bad_text(HEAD "element vertex\n", "points.ply:3: expected 'element NAME COUNT'");
    bad_text(HEAD "element vertex -1\n", "points.ply:3: not a count: '-1'");
    bad_text(HEAD "element vertex 1\nelement vertex 1\n", "points.ply:4: second element");
    bad_text(HEAD "element vertex 1\nproperty real x\n", "points.ply:4: unknown type");
    bad_text(HEAD "element vertex 1\nproperty float\n", "points.ply:4: expected 'property");
    bad_text(HEAD "element vertex 1\n" XYZ "property int x\n", "points.ply:7: second property");
    bad_text(HEAD "element vertex 1\nproperty list float int x\n", "must be a whole number");
    bad_text(HEAD "element vertex 1\n" XYZ, "points.ply:7: the file ends inside the header");
}

static void limits_of_the_header(void** state)
{
    (void)state;
    text t = {.length = 0};
    add(&t, HEAD);
    char line[100];
    for (int k = 0; k < 33; k++) {
        snprintf(line, sizeof line, "element e%d 0\n", k);
        add(&t, line);
    }
    read_bad(t.data, t.length, "points.ply:35: more than 32 elements");
    t.length = 0;
    add(&t, HEAD "element vertex 0\n");
    for (int k = 0; k < 257; k++) {
        snprintf(line, sizeof line, "property float p%d\n", k);
        add(&t, line);
    }
    read_bad(t.data, t.length, "more than 256 properties");
    t.length = 0;
    add(&t, HEAD "element ");
    for (int k = 0; k < 100; k++) add(&t, "long");
    add(&t, " 1\n");
    read_bad(t.data, t.length, "points.ply:3: name too long 'longlong");
    // no end_header: found out after a while, not at the end of a huge file
    const size_t many = 200000;
    char* newlines = malloc(many);
    memset(newlines, '\n', many);
    memcpy(newlines, HEAD, strlen(HEAD));
    read_bad(newlines, many, "no end_header in the first 10000 lines");
    free(newlines);
}

int test_ply_header(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes_are_named_with_their_place),
                                       cmocka_unit_test(limits_of_the_header)};
    return cmocka_run_group_tests_name("ply_header", tests, NULL, NULL);
}
