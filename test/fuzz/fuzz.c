// SPDX-License-Identifier: MIT
// What all fuzz targets use.
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"

static const char *target_now = "fuzz", *input_now = "input";

void firn_fuzz_now(const char* target, const char* input)
{
    target_now = target;
    input_now = input;
}

void firn_fuzz_require(int good, const char* what)
{
    if (good) return;
    fprintf(stderr, "%s: %s: %s\n", target_now, input_now, what);
    abort();
}

firn_fuzz_run firn_fuzz_begin(uint64_t cap)
{
    firn_fuzz_run run = {.bytes_before = firn_memory_read().bytes};
    run.budget = firn_memory_budget_create(cap);
    firn_fuzz_require(run.budget != NULL, "no memory for a budget");
    firn_memory_use(run.budget);
    return run;
}

void firn_fuzz_end(firn_fuzz_run* run)
{
    firn_memory_use(NULL);
    firn_memory_budget_release(run->budget);
    firn_fuzz_require(firn_memory_read().bytes == run->bytes_before, "a block was not freed");
}

uint64_t firn_fuzz_cap(size_t size)
{
    return FIRN_FUZZ_BASE + FIRN_FUZZ_RATIO * (uint64_t)size;
}

static char refusal[400];

const char* firn_fuzz_refusal(void)
{
    return refusal;
}

void firn_fuzz_check(firn_result result, const firn_error* error)
{
    if (result == FIRN_OK) return;
    snprintf(refusal, sizeof refusal, "%.399s", error->text);
    firn_fuzz_require(error->text[0] != '\0', "a refusal has no message");
    firn_fuzz_require(error->code == result, "the code of the error is not the result");
    firn_fuzz_require(result != FIRN_BROKEN_MEMORY, error->text);  // beyond firn_fuzz_cap
}

char* firn_fuzz_copy(const uint8_t* data, size_t size)
{
    char* copy = malloc(size + 1);
    firn_fuzz_require(copy != NULL, "no memory for the input");
    if (size > 0) memcpy(copy, data, size);
    copy[size] = '\0';
    return copy;
}

static char path[512];

static void remove_file(void)
{
    unlink(path);
}

const char* firn_fuzz_file(const char* ending, const uint8_t* data, size_t size)
{
    if (path[0] == '\0')
        atexit(remove_file);
    else
        remove_file();
    const char* folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/firn-fuzz-%d.%s", folder != NULL ? folder : "/tmp",
             (int)getpid(), ending);
    FILE* file = fopen(path, "wbx");
    firn_fuzz_require(file != NULL, "cannot write to $TMPDIR");
    const size_t written = fwrite(data, 1, size, file);
    firn_fuzz_require(fclose(file) == 0 && written == size, "cannot write to $TMPDIR");
    return path;
}
