// SPDX-License-Identifier: MIT
// Runs test files by name: `firn_test svd3 polar`; `firn_test -k 'clamp*' svd3` runs only the cases
// whose name matches; without arguments, lists the names. FIRN_TEST_SIMD names the SIMD level of
// the tests that do not choose one (solver/mpm/world.h). Status 1: something failed; 77: nothing
// did, but a test or that level needs what this machine lacks.
#define _XOPEN_SOURCE 700  // nftw
#include "firn_test.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/simd/simd.h"
#include "firn/firn.h"

typedef struct test_entry {
    const char* name;
    int (*run)(void);     // number of failed cases, or FIRN_TEST_SKIPPED
    const char* scratch;  // folder the test may fill, emptied before
} test_entry;

static const test_entry entries[] = {
#define TEST(name, scratch) {#name, test_##name, scratch},
#include "test_list.inc"
#undef TEST
    {NULL, NULL, NULL},
};

static int remove_entry(const char* path, const struct stat* status, int kind, struct FTW* walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

// Makes `path` an empty folder. Its parents may be missing.
static int empty_folder(const char* path)
{
    char parent[4096];
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    for (const char* slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
        if (mkdir(parent, 0777) != 0 && errno != EEXIST) return -1;
    }
    return mkdir(path, 0777);
}

static int run_file(const char* name)
{
    for (const test_entry* t = entries; t->name; t++) {
        if (strcmp(t->name, name) != 0) continue;
        if (empty_folder(t->scratch) != 0) {
            fprintf(stderr, "firn_test: cannot make %s: %s\n", t->scratch, strerror(errno));
            return 1;
        }
        return t->run();
    }
    fprintf(stderr, "firn_test: no test is called '%s'\n", name);
    return 1;
}

static bool has_word(const char* words, const char* word)
{
    const size_t length = strlen(word);
    for (const char* at = words; length > 0 && (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) return true;
    return false;
}

// 0: the level that FIRN_TEST_SIMD names can run here; else the status to leave with.
static int check_simd(void)
{
    const char* simd = getenv("FIRN_TEST_SIMD");
    firn_simd_choice choice;
    if (simd == NULL || firn_simd_choose(simd, &choice, NULL) == FIRN_OK) return 0;
    if (!has_word(firn_version().simd_all, simd)) {
        fprintf(stderr, "firn_test: FIRN_TEST_SIMD=%s is no SIMD level (there are: %s)\n", simd,
                firn_version().simd_all);
        return 1;
    }
    printf("skipped: this machine does not have the SIMD level %s\n", simd);
    return FIRN_TEST_SKIPPED;
}

int main(int argc, char** argv)
{
    int failed = check_simd();
    if (failed != 0) return failed;
    bool skipped = false;
    if (argc == 1) {
        for (const test_entry* t = entries; t->name; t++) puts(t->name);
    }
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-k") == 0 && i + 1 < argc) {
            cmocka_set_test_filter(argv[++i]);
        } else {
            const int status = run_file(argv[i]);
            if (status == FIRN_TEST_SKIPPED)
                skipped = true;
            else
                failed += status;
        }
    }
    return failed != 0 ? 1 : skipped ? FIRN_TEST_SKIPPED : 0;
}
