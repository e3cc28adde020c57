// SPDX-License-Identifier: MIT
// Reads stats.csv row by row: columns time and dt, and the last six columns of each collider. A row
// that is not complete ends the file, as it does for a run that continues.
#define _GNU_SOURCE  // O_NONBLOCK
#include "output/run/load_means.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/paths.h"
#include "core/text.h"

#define VALUES 6  // of a collider
#define LINE_MOST (1 << 28)

typedef struct reader {
    FILE* file;
    char* line;  // owned
    firn_local length, capacity;
    int columns;
    double fps;
} reader;

// The next line without its end; false: there is none, or it is not complete.
static bool read_line(reader* r, bool* out_failed)
{
    r->length = 0;
    for (;;) {
        const int c = getc_unlocked(r->file);
        if (c == EOF || r->length >= LINE_MOST) return false;
        if (!firn_reserve((void**)&r->line, &r->capacity, r->length + 1, 1)) {
            *out_failed = true;
            return false;
        }
        r->line[r->length++] = c == '\n' ? '\0' : (char)c;
        if (c == '\n') return true;
    }
}

static int count_columns(const char* line)
{
    int columns = 1;
    for (const char* c = line; *c != '\0'; c++) columns += *c == ',';
    return columns;
}

// Colliders whose columns end the header.
static int count_colliders(const char* header)
{
    int count = 0;
    for (const char* at = header; (at = strstr(at, ",force_x_")) != NULL; at++) count++;
    return count;
}

static const char* column(const char* line, int k)
{
    for (; k > 0; k--) line = strchr(line, ',') + 1;
    return line;
}

// Adds a row to the frame that contains the middle of its step.
static void add_row(const reader* r, firn_load_means* m)
{
    const char* at = column(r->line, 1);
    char* end;
    const double time = strtod(at, &end), dt = *end == ',' ? strtod(end + 1, &end) : 0;
    const double frame = floor((time + dt / 2) * r->fps) + 1;
    if (!(dt > 0) || !(frame >= (double)m->first && frame < (double)(m->first + m->frames))) return;
    const int64_t n = (int64_t)frame - m->first;
    m->seconds[n] += dt;
    at = column(r->line, r->columns - VALUES * m->colliders);
    for (int c = 0; c < m->colliders; c++) {
        firn_collider_mean* sum = &m->each[n * m->colliders + c];
        double value[VALUES];
        for (int d = 0; d < VALUES; d++) {
            value[d] = strtod(at, &end);
            at = *end == ',' ? end + 1 : end;
        }
        for (int d = 0; d < 3; d++) {
            sum->force[d] += dt * value[d];
            sum->torque[d] += dt * value[3 + d];
        }
    }
}

static void divide(firn_load_means* m)
{
    for (int64_t n = 0; n < m->frames; n++)
        for (int c = 0; c < m->colliders; c++) {
            firn_collider_mean* mean = &m->each[n * m->colliders + c];
            for (int d = 0; d < 3; d++) {
                mean->force[d] = m->seconds[n] > 0 ? mean->force[d] / m->seconds[n] : NAN;
                mean->torque[d] = m->seconds[n] > 0 ? mean->torque[d] / m->seconds[n] : NAN;
            }
        }
}

static firn_result read_rows(reader* r, firn_load_means* m, const char* path, firn_error* error)
{
    bool failed = false;
    const bool empty = !read_line(r, &failed);
    if (ferror(r->file))
        return firn_fail(error, FIRN_REFUSED_IO, "cannot read '%s': %s", path, strerror(errno));
    if (empty) return FIRN_OK;
    r->columns = count_columns(r->line);
    m->colliders = count_colliders(r->line);
    m->each = firn_alloc((size_t)m->frames * (size_t)m->colliders + 1, sizeof *m->each);
    m->seconds = firn_alloc((size_t)m->frames + 1, sizeof *m->seconds);
    failed = m->each == NULL || m->seconds == NULL;
    firn_locale locale = firn_locale_open();
    while (!failed && m->colliders > 0 && read_line(r, &failed)) {
        if (count_columns(r->line) != r->columns) break;
        add_row(r, m);
    }
    firn_locale_close(&locale);
    if (failed) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory reading '%s'", path);
    if (ferror(r->file))
        return firn_fail(error, FIRN_REFUSED_IO, "cannot read '%s': %s", path, strerror(errno));
    divide(m);
    return FIRN_OK;
}

// *out_file is null where there is no such file, or none that can be read to its end.
static firn_result open_file(const char* path, FILE** out_file, firn_error* error)
{
    *out_file = NULL;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 && errno == ENOENT) return FIRN_OK;
    struct stat status = {0};
    if (file >= 0 && fstat(file, &status) == 0) {
        if (S_ISREG(status.st_mode)) *out_file = fdopen(file, "r");
        if (*out_file != NULL) return FIRN_OK;
        if (!S_ISREG(status.st_mode)) errno = 0;
    }
    const int reason = errno;
    if (file >= 0) close(file);
    if (reason == 0) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_IO, "cannot read '%s': %s", path, strerror(reason));
}

firn_result firn_load_means_read(const char* dir, double fps, int64_t first, int64_t frames,
                                 firn_load_means* out_means, firn_error* error)
{
    *out_means = (firn_load_means){.first = first, .frames = frames};
    char* path = NULL;
    FIRN_TRY(firn_path_print(&path, error, "%s/stats.csv", dir));
    reader r = {.fps = fps};
    firn_result result = open_file(path, &r.file, error);
    if (r.file != NULL) {
        result = read_rows(&r, out_means, path, error);
        fclose(r.file);
    }
    firn_free(r.line);
    firn_free(path);
    if (result != FIRN_OK) firn_load_means_destroy(out_means);
    return result;
}

void firn_load_means_destroy(firn_load_means* means)
{
    firn_free(means->each);
    firn_free(means->seconds);
    *means = (firn_load_means){0};
}
