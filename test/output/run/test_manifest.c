// SPDX-License-Identifier: MIT
// Manifests: round trip, order, pruning, verification, and every way to be refused.
#include "output/run/manifest.h"

#include <inttypes.h>
#include <locale.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/paths.h"
#include "output/run/manifest_json.h"
#include "output/sample.h"

#define DIR FIRN_TEST_TMP

static firn_manifest sample_manifest(void)
{
    return (firn_manifest){.scene = "a \"b\" \\ \xc3\xa4 c",
                           .solver = "mpm",
                           .scene_hash = 0x0123456789abcdefu,
                           .fps = 24000.0 / 1001,
                           .cell = 0.1,
                           .frame_end = 96,
                           .culled = 1234};
}

static void add(firn_manifest* m, firn_entry_kind kind, int64_t frame, const char* file)
{
    char path[4096];
    firn_error error;
    snprintf(path, sizeof path, DIR "/%s", file);
    sample_put(path, file, strlen(file));
    if (firn_manifest_add(m, DIR, kind, frame, file, &error) != FIRN_OK) fail_msg("%s", error.text);
}

static void assert_same_manifest(const firn_manifest* a, const firn_manifest* b)
{
    assert_string_equal(a->scene, b->scene);
    assert_string_equal(a->solver, b->solver);
    assert_equal(a->scene_hash, b->scene_hash);
    assert_equal(a->fps, b->fps);
    assert_equal(a->cell, b->cell);
    assert_int_equal(a->frame_end, b->frame_end);
    assert_int_equal(a->culled, b->culled);
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->count, b->count);
    for (firn_local k = 0; k < a->count; k++) {
        const firn_manifest_entry *x = &a->entries[k], *y = &b->entries[k];
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->frame, y->frame);
        assert_string_equal(x->file, y->file);
        assert_equal(x->bytes, y->bytes);
        assert_equal(x->checksum, y->checksum);
    }
}

static void round_trip(void** state)
{
    (void)state;
    firn_manifest m = sample_manifest(), back = {0};
    firn_error error;
    for (int complete = 0; complete < 2; complete++) {
        m.complete = complete;
        if (complete) add(&m, FIRN_ENTRY_FRAME, 0, "x \"quoted\" \xc3\xa4.hdf");
        if (complete) add(&m, FIRN_ENTRY_CHECKPOINT, 0, "state.0000.h5");
        assert_int_equal(firn_manifest_write(DIR, &m, &error), FIRN_OK);
        disk_no_temporary(DIR "/manifest.json");
        if (firn_manifest_read(DIR, &back, &error) != FIRN_OK) fail_msg("%s", error.text);
        assert_same_manifest(&m, &back);
        firn_manifest_destroy(&back);
    }
    firn_manifest_destroy(&m);
}

static void add_to_text(void* text, const void* part, size_t bytes)
{
    firn_text_add_bytes(text, part, bytes);
}

// A host may have set a locale with a decimal comma.
static void locale_does_not_matter(void** state)
{
    (void)state;
    const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"};
    const char* set = NULL;
    for (int k = 0; k < 4 && set == NULL; k++) set = setlocale(LC_NUMERIC, names[k]);
    if (set == NULL) skip();  // this machine has none
    firn_manifest m = sample_manifest(), back = {0};
    firn_error error;
    firn_text text = {0};
    assert_int_equal(firn_manifest_print(&m, add_to_text, &text, &error), FIRN_OK);
    assert_contains(text.data, "\"cell\": 0.1,\n");
    assert_int_equal(firn_manifest_parse(text.data, text.length, "m", &back, &error), FIRN_OK);
    setlocale(LC_NUMERIC, "C");
    assert_equal(back.fps, m.fps);
    firn_text_destroy(&text);
}

static void entries_are_sorted_and_replaced(void** state)
{
    (void)state;
    firn_manifest m = sample_manifest();
    add(&m, FIRN_ENTRY_FRAME, 5, "f5");
    add(&m, FIRN_ENTRY_CHECKPOINT, 2, "c2");
    add(&m, FIRN_ENTRY_FRAME, 2, "f2");
    add(&m, FIRN_ENTRY_FRAME, 9, "f9");
    add(&m, FIRN_ENTRY_FRAME, 0, "f0");
    add(&m, FIRN_ENTRY_FRAME, 5, "f5-again");
    assert_int_equal(m.count, 5);
    const char* const order[] = {"f0", "f2", "c2", "f5-again", "f9"};
    for (int k = 0; k < 5; k++) assert_string_equal(m.entries[k].file, order[k]);
    assert_int_equal(m.entries[3].bytes, 8);
    assert_ptr_equal(firn_manifest_find(&m, FIRN_ENTRY_CHECKPOINT, 2), &m.entries[2]);
    assert_null(firn_manifest_find(&m, FIRN_ENTRY_CHECKPOINT, 5));
    assert_null(firn_manifest_find(&m, FIRN_ENTRY_FRAME, 100));
    firn_manifest_destroy(&m);
}

// Another file takes the place of a frame's: listed first, then the old one goes.
static void replace_lists_the_new_file(void** state)
{
    (void)state;
    firn_manifest m = sample_manifest(), back = {0};
    firn_error error = {0};
    add(&m, FIRN_ENTRY_FRAME, 3, "old3");
    sample_put(DIR "/new3", "another content", 15);
    assert_int_equal(firn_manifest_replace(&m, DIR, FIRN_ENTRY_FRAME, 3, "none3", &error),
                     FIRN_REFUSED_IO);  // it must be there
    assert_int_equal(access(DIR "/old3", F_OK), 0);
    assert_int_equal(firn_manifest_replace(&m, DIR, FIRN_ENTRY_FRAME, 3, "new3", &error), FIRN_OK);
    assert_int_not_equal(access(DIR "/old3", F_OK), 0);
    assert_int_equal(firn_manifest_read(DIR, &back, &error), FIRN_OK);
    const firn_manifest_entry* entry = firn_manifest_find(&back, FIRN_ENTRY_FRAME, 3);
    assert_string_equal(entry->file, "new3");
    assert_int_equal(entry->bytes, 15);
    assert_int_equal(firn_manifest_verify(entry, DIR, &error), FIRN_OK);
    // the same file again, as a frame that is written twice: it stays
    assert_int_equal(firn_manifest_replace(&m, DIR, FIRN_ENTRY_FRAME, 3, "new3", &error), FIRN_OK);
    assert_int_equal(access(DIR "/new3", F_OK), 0);
    firn_manifest_destroy(&m);
    firn_manifest_destroy(&back);
}

static void keep_prunes_entries_and_files(void** state)
{
    (void)state;
    firn_manifest m = sample_manifest(), back = {0};
    firn_error error;
    char file[4096];
    for (int k = 0; k < 6; k++) {
        snprintf(file, sizeof file, "kf%d", k);
        add(&m, FIRN_ENTRY_FRAME, k, file);
        snprintf(file, sizeof file, "kc%d", k);
        add(&m, FIRN_ENTRY_CHECKPOINT, k, file);
    }
    unlink(DIR "/kc1");                                // a file that is gone already is no error
    sample_put(DIR "/kc2", "longer than it was", 18);  // not what was listed: stays
    assert_int_equal(firn_manifest_keep(&m, DIR, FIRN_ENTRY_CHECKPOINT, 4, 5, &error), FIRN_OK);
    assert_int_equal(m.count, 8);
    for (int k = 0; k < 6; k++) {
        snprintf(file, sizeof file, DIR "/kc%d", k);
        assert_int_equal(sample_exists(file), k >= 4 || k == 2);
        snprintf(file, sizeof file, DIR "/kf%d", k);
        assert_true(sample_exists(file));
    }
    assert_int_equal(firn_manifest_keep(&m, DIR, FIRN_ENTRY_FRAME, 0, 2, &error), FIRN_OK);
    assert_int_equal(m.count, 5);
    assert_int_equal(firn_manifest_read(DIR, &back, &error), FIRN_OK);  // written by itself
    assert_same_manifest(&m, &back);
    // an empty range drops all of a kind
    assert_int_equal(firn_manifest_keep(&m, DIR, FIRN_ENTRY_FRAME, 1, 0, &error), FIRN_OK);
    assert_int_equal(m.count, 2);
    firn_manifest_destroy(&back);
    firn_manifest_destroy(&m);
}

// A run takes the memory of its list at the start; writing and pruning a long list take no more.
static void memory_does_not_grow_with_the_run(void** state)
{
    (void)state;
    enum { FRAMES = 2000, SPARE = 120000 };  // [bytes] buffers of reading and printing
    firn_manifest m = sample_manifest();
    firn_error error;
    add(&m, FIRN_ENTRY_FRAME, 0, "flat");
    firn_memory_budget* budget =
        firn_memory_budget_create((FRAMES + 4) * sizeof(firn_manifest_entry) + SPARE + (1 << 20));
    firn_memory_budget* outer = firn_memory_use(budget);
    assert_int_equal(firn_manifest_reserve(&m, FRAMES + 4, &error), FIRN_OK);
    const firn_local capacity = m.capacity;
    for (int k = 1; k < FRAMES; k++)
        assert_int_equal(firn_manifest_add(&m, DIR, FIRN_ENTRY_FRAME, k, "flat", &error), FIRN_OK);
    assert_int_equal(m.capacity, capacity);
    firn_memory_use(outer);
    firn_memory_budget_release(budget);
    budget = firn_memory_budget_create(SPARE);
    outer = firn_memory_use(budget);
    assert_int_equal(firn_manifest_write(DIR, &m, &error), FIRN_OK);
    assert_int_equal(firn_manifest_keep(&m, DIR, FIRN_ENTRY_FRAME, 1, FRAMES, &error), FIRN_OK);
    firn_memory_use(outer);
    firn_memory_budget_release(budget);
    assert_int_equal(m.count, FRAMES - 1);
    firn_manifest_destroy(&m);
}

// When the new list cannot be written, nothing is dropped and nothing is removed.
static void keep_removes_nothing_before_the_list_is_safe(void** state)
{
    (void)state;
    firn_manifest m = sample_manifest();
    firn_error error;
    add(&m, FIRN_ENTRY_FRAME, 0, "safe0");
    add(&m, FIRN_ENTRY_FRAME, 1, "safe1");
    unlink(DIR "/manifest.json");
    assert_int_equal(firn_folder_make(DIR "/manifest.json/taken", &error), FIRN_OK);
    assert_int_equal(firn_manifest_keep(&m, DIR, FIRN_ENTRY_FRAME, 0, 0, &error), FIRN_REFUSED_IO);
    rmdir(DIR "/manifest.json/taken");
    rmdir(DIR "/manifest.json");
    assert_int_equal(m.count, 2);
    assert_true(sample_exists(DIR "/safe1"));
    firn_manifest_destroy(&m);
}

static void verify_sees_every_change(void** state)
{
    (void)state;
    firn_manifest m = sample_manifest();
    firn_error error;
    add(&m, FIRN_ENTRY_FRAME, 0, "file-to-verify");
    assert_int_equal(firn_manifest_verify(&m.entries[0], DIR, &error), FIRN_OK);
    sample_put(DIR "/file-to-verify", "file-to-verifz", 14);
    assert_int_equal(firn_manifest_verify(&m.entries[0], DIR, &error), FIRN_REFUSED_DAMAGED);
    sample_put(DIR "/file-to-verify", "file-to-verify!", 15);
    assert_int_equal(firn_manifest_verify(&m.entries[0], DIR, &error), FIRN_REFUSED_DAMAGED);
    unlink(DIR "/file-to-verify");
    assert_int_equal(firn_manifest_verify(&m.entries[0], DIR, &error), FIRN_REFUSED_DAMAGED);
    assert_non_null(strstr(error.text, "missing"));
    assert_int_equal(mkdir(DIR "/file-to-verify", 0777), 0);
    assert_int_equal(firn_manifest_verify(&m.entries[0], DIR, &error), FIRN_REFUSED_IO);
    assert_int_equal(rmdir(DIR "/file-to-verify"), 0);
    firn_manifest_destroy(&m);
}

static void names_stay_inside_the_folder(void** state)
{
    (void)state;
    const char* const bad[] = {"",     "/etc/passwd", "../x", "a/../b", "a/..", "..",
                               "a//b", "./a",         "a/.",  "a/",     "a\nb", "a\x7f"};
    const char* const good[] = {"a", "a/b.c", "..a", "a..", "a/...", ".hidden", "a b"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_false(firn_path_is_inside(bad[k]));
        firn_manifest m = sample_manifest();
        assert_int_equal(firn_manifest_add(&m, DIR, FIRN_ENTRY_FRAME, 0, bad[k], NULL),
                         FIRN_REFUSED_ARGUMENT);
    }
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++)
        assert_true(firn_path_is_inside(good[k]));
}

// `body` with a checksum that fits: what an attacker would make.
static firn_result parse_sealed(const char* body, firn_manifest* out, firn_error* error)
{
    firn_text t = {0};
    firn_text_add(&t, "%s", body);
    firn_text_add(&t, "\"checksum\": \"%016" PRIx64 "\"\n}\n", firn_hash(t.data, t.length, 0));
    const firn_result result = firn_manifest_parse(t.data, t.length, "m.json", out, error);
    firn_text_destroy(&t);
    return result;
}

#define HEAD                                                                                   \
    "{\n\"firn\": \"manifest 1\",\n\"scene\": \"s\",\n\"solver\": \"mpm\",\n"                  \
    "\"scene_hash\": \"0000000000000001\",\n\"fps\": 24,\n\"cell\": 0.1,\n\"frame_end\": 3,\n" \
    "\"complete\": false,\n\"culled\": 0,\n\"entries\": [\n"
#define ENTRY(frame, file)                                                               \
    "{\"kind\": \"frame\", \"frame\": " frame ", \"file\": \"" file "\", \"bytes\": 3, " \
    "\"checksum\": \"00000000000000ff\"}"
#define LONG20 "aaaaaaaaaaaaaaaaaaaa"
#define LONG260 \
    LONG20 LONG20 LONG20 LONG20 LONG20 LONG20 LONG20 LONG20 LONG20 LONG20 LONG20 LONG20 LONG20

static void hostile_text_is_refused_with_its_line(void** state)
{
    (void)state;
    firn_manifest m = {0};
    firn_error error = {0};
    assert_int_equal(parse_sealed(HEAD "],\n", &m, &error), FIRN_OK);
    assert_int_equal(m.count, 0);
    assert_int_equal(parse_sealed(HEAD ENTRY("1", "a") ",\n" ENTRY("2", "b") "\n],\n", &m, &error),
                     FIRN_OK);
    assert_int_equal(m.count, 2);
    firn_manifest_destroy(&m);
    const struct {
        const char *body, *says;
    } cases[] = {
        {HEAD ENTRY("1", "../a") "\n],\n", "m.json:12: damaged: a file name is outside"},
        {HEAD ENTRY("1", "/a") "\n],\n", "is outside"},
        {HEAD ENTRY("1", "") "\n],\n", "is outside"},
        {HEAD ENTRY("1", LONG260) "\n],\n", "too long"},
        {HEAD ENTRY("-1", "a") "\n],\n", "negative"},
        {HEAD ENTRY("x", "a") "\n],\n", "integer"},
        {HEAD ENTRY("99999999999999999999", "a") "\n],\n", "integer"},
        {HEAD ENTRY("1", "a\\n") "\n],\n", "escape"},
        {HEAD ENTRY("1", "a\\u0000") "\n],\n", "escape"},
        {HEAD ENTRY("1", "a\\u00zz") "\n],\n", "escape"},
        {HEAD ENTRY("2", "a") ",\n" ENTRY("1", "b") "\n],\n", "m.json:13: damaged: the entries"},
        {HEAD ENTRY("1", "a") ",\n" ENTRY("1", "b") "\n],\n", "not in order"},
        {HEAD ENTRY("1", "a") ",\n],\n", "after the comma"},
        {HEAD ENTRY("1", "a") "\n", "expected the end"},
        {HEAD ENTRY("1", "a") "\n],\nmore\n", "after the entries"},
        {HEAD "{\"kind\": \"thesis\", \"frame\": 1, \"file\": \"a\", \"bytes\": 3, \"checksum\": "
              "\"00000000000000ff\"}\n],\n",
         "kind"},
        {HEAD "{\"kind\": \"frame\", \"frame\": 1, \"file\": \"a\", \"bytes\": 3, \"checksum\": "
              "\"00000000000000FF\"}\n],\n",
         "hexadecimal"},
        {HEAD "{\"kind\": \"frame\"", "entry"},
        {"{\n\"firn\": \"manifest 1\",\n\"scene\": \"s", "not terminated"},
        {"{\n\"firn\": \"manifest 1\",\n\"scene\": 1,\n",
         "m.json:3: damaged: expected a string in quotes"},
        {"{\n\"firn\": \"manifest 1\",\n\"solver\": \"mpm\",\n", "unexpected key"},
        {"{\n\"firn\": \"manifest 1\",\n\"scene\": \"../s\",\n", "name of the scene"},
        {"{\n\"firn\": \"manifest 1\",\n\"scene\": \"a\\u001bb\",\n", "name of the scene"},
        {"{\n\"firn\": \"manifest 1\",\n\"scene\": \"s\",\n\"solver\": \"..\",\n",
         "name of the solver"},
        {"{\n\"firn\": \"manifest 1\",\n\"scene\": \"s\",\n\"solver\": \"mpm\",\n\"scene_hash\": "
         "\"0000000000000001\",\n\"fps\": nan,\n",
         "at least 0"},
        {"{\n\"firn\": \"manifest 1\",\n\"scene\": \"s\",\n\"solver\": \"mpm\",\n\"scene_hash\": "
         "\"0000000000000001\",\n\"fps\": 24,\n\"cell\": 0.1,\n\"frame_end\": 3,\n\"complete\": "
         "true,\n\"culled\": -1,\n\"entries\": [\n],\n",
         "negative"},
        {"{\n\"firn\": \"manifest 2\",\n", "m.json:1: not a manifest"},
        {"[]\n", "not a manifest"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_int_equal(parse_sealed(cases[k].body, &m, &error), FIRN_REFUSED_DAMAGED);
        if (strstr(error.text, cases[k].says) == NULL)
            fail_msg("case %zu: '%s' is not in: %s", k, cases[k].says, error.text);
    }
}

static void a_folder_without_a_run(void** state)
{
    (void)state;
    firn_manifest m;
    firn_error error;
    assert_int_equal(firn_manifest_read(DIR "/nowhere", &m, &error), FIRN_REFUSED_NAME);
    assert_contains(error.text, "no run found in");
}

// Every allocation made to fail: an error, nothing leaked, the object as before.
static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    firn_manifest m = sample_manifest();
    add(&m, FIRN_ENTRY_FRAME, 0, "m0");
    add(&m, FIRN_ENTRY_FRAME, 1, "m1");
    const uint64_t before = firn_memory_read().bytes;
    bool done = false;
    for (uint64_t k = 1; !done; k++) {
        firn_manifest back = {0};
        firn_memory_fail_at(k, true);
        firn_result result = firn_manifest_write(DIR, &m, NULL);
        if (result == FIRN_OK) result = firn_manifest_read(DIR, &back, NULL);
        firn_memory_fail_at(0, false);
        firn_manifest_destroy(&back);
        assert_either(result, FIRN_OK, FIRN_BROKEN_MEMORY);
        assert_int_equal(firn_memory_read().bytes, before);
        done = result == FIRN_OK;
        assert_in_range(k, 1, 1000);
    }
    firn_manifest_destroy(&m);
}

int test_manifest(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(locale_does_not_matter),
        cmocka_unit_test(entries_are_sorted_and_replaced),
        cmocka_unit_test(replace_lists_the_new_file),
        cmocka_unit_test(keep_prunes_entries_and_files),
        cmocka_unit_test(memory_does_not_grow_with_the_run),
        cmocka_unit_test(keep_removes_nothing_before_the_list_is_safe),
        cmocka_unit_test(verify_sees_every_change),
        cmocka_unit_test(names_stay_inside_the_folder),
        cmocka_unit_test(hostile_text_is_refused_with_its_line),
        cmocka_unit_test(a_folder_without_a_run),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("manifest", tests, NULL, NULL);
}
