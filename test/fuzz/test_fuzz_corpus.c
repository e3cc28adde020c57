// SPDX-License-Identifier: MIT
// Replays the corpora of all fuzz targets (fuzz.h): whatever fuzzing found once stays cured, and
// the inputs named good-* are accepted, so that a corpus does not go stale unnoticed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "firn_test.h"
#include "fuzz/fuzz.h"

#define BLOCK 512  // [bytes] tar's unit: a header, then the contents, filled up to whole blocks

typedef bool target_fn(const uint8_t* data, size_t size);

typedef struct corpus_input {
    char name[101];
    uint8_t* data;  // owned
    size_t size;
} corpus_input;

// False at the end of the archive.
static bool next_input(gzFile archive, corpus_input* out)
{
    char header[BLOCK];
    if (gzread(archive, header, BLOCK) != BLOCK || header[0] == '\0') return false;
    memcpy(out->name, header, 100);
    out->name[100] = '\0';
    out->size = strtoul(header + 124, NULL, 8);
    const size_t whole = (out->size + BLOCK - 1) / BLOCK * BLOCK;
    out->data = malloc(whole + 1);
    assert_non_null(out->data);
    assert_int_equal(gzread(archive, out->data, (unsigned)whole), whole);
    return true;
}

static void replay(const char* target, target_fn* function)
{
    char path[600];
    snprintf(path, sizeof path, FIRN_SOURCE_DIR "/test/fuzz/corpus/%s.tar.gz", target);
    gzFile archive = gzopen(path, "rb");
    if (archive == NULL) fail_msg("%s is missing", path);
    setenv("TMPDIR", FIRN_TEST_TMP, 1);
    corpus_input input;
    int good = 0;
    while (next_input(archive, &input)) {
        firn_fuzz_now(target, input.name);
        const bool accepted = function(input.data, input.size);
        free(input.data);
        if (strncmp(input.name, "good", 4) != 0) continue;
        good++;
        if (!accepted)
            fail_msg("%s refuses its seed %s: %s", target, input.name, firn_fuzz_refusal());
    }
    gzclose(archive);
    assert_true(good > 0);
}

static bool is_built(const char* target)
{
#ifndef FIRN_HAVE_VDB
    const char* const vdb[] = {"level_set", "texture", "wind"};
    for (int k = 0; k < 3; k++)
        if (strcmp(target, vdb[k]) == 0) return false;
#endif
#ifndef FIRN_HAVE_FREETYPE
    if (strcmp(target, "font") == 0) return false;
#endif
    (void)target;
    return true;
}

#define REPLAY(name)                         \
    static void replays_##name(void** state) \
    {                                        \
        (void)state;                         \
        if (!is_built(#name)) skip();        \
        replay(#name, firn_fuzz_##name);     \
    }
FIRN_FUZZ_TARGETS(REPLAY)

#define CASE(name) cmocka_unit_test(replays_##name),
int test_fuzz_corpus(void)
{
    const struct CMUnitTest tests[] = {FIRN_FUZZ_TARGETS(CASE)};
    return cmocka_run_group_tests_name("fuzz_corpus", tests, NULL, NULL);
}
