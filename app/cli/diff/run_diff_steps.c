// SPDX-License-Identifier: MIT
// Sums of a run's stats.csv.
#define _GNU_SOURCE  // getline
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/diff/run_diff.h"

enum { COLUMNS_MAX = 4096 };

// Marks the columns whose name begins with "seconds_".
static int read_header(char* line, bool is_seconds[COLUMNS_MAX])
{
    int count = 0;
    char* rest = line;
    for (char* word; (word = strsep(&rest, ",\n")) != NULL && count < COLUMNS_MAX; count++)
        is_seconds[count] = strncmp(word, "seconds_", 8) == 0;
    return count;
}

static double seconds_of(char* line, const bool is_seconds[COLUMNS_MAX], int count)
{
    double sum = 0;
    char* rest = line;
    for (int k = 0; k < count; k++) {
        const char* word = strsep(&rest, ",\n");
        if (word == NULL) break;
        if (is_seconds[k]) sum += strtod(word, NULL);
    }
    return sum;
}

static firn_result refuse(firn_error* error, const char* path, int reason)
{
    error->code = reason == ENOMEM ? FIRN_BROKEN_MEMORY : FIRN_REFUSED_IO;
    snprintf(error->text, sizeof error->text, "cannot read '%s': %s", path, strerror(reason));
    return error->code;
}

// Sums the rows of the file. Returns errno.
static int sum_rows(FILE* file, double* out_steps, double* out_seconds)
{
    char* line = NULL;
    size_t room = 0;
    bool* is_seconds = calloc(COLUMNS_MAX, sizeof *is_seconds);
    if (is_seconds == NULL) return ENOMEM;
    errno = 0;
    if (getline(&line, &room, file) > 0) {
        const int count = read_header(line, is_seconds);
        *out_steps = *out_seconds = 0;
        while (getline(&line, &room, file) > 0) {
            *out_steps += 1;
            *out_seconds += seconds_of(line, is_seconds, count);
            errno = 0;
        }
    }
    const int reason = feof(file) ? 0 : errno != 0 ? errno : EIO;
    free(is_seconds);
    free(line);
    return reason;
}

firn_result cli_stats_sum(const char* dir, double* out_steps, double* out_seconds,
                          firn_error* error)
{
    *out_steps = *out_seconds = NAN;
    char* path = NULL;
    if (asprintf(&path, "%s/stats.csv", dir) < 0) return refuse(error, dir, ENOMEM);
    FILE* file = fopen(path, "re");
    int reason = file == NULL ? errno : sum_rows(file, out_steps, out_seconds);
    if (file == NULL && reason == ENOENT) reason = 0;  // output.stats: false
    if (file != NULL) fclose(file);
    const firn_result r = reason == 0 ? FIRN_OK : refuse(error, path, reason);
    free(path);
    return r;
}
