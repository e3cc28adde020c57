// SPDX-License-Identifier: MIT
// stats.csv: written through a buffer, so that every write is checked and only a crash can leave an
// incomplete row.
#define _GNU_SOURCE  // O_NOFOLLOW
#include "output/run/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/paths.h"
#include "core/text.h"
#include "solver/collider_load.h"

#define FILE_NAME "stats.csv"

// Of a line, the first one included: 19 + FIRN_STAGES_MAX columns, and those of each collider.
#define LINE_BYTES 4096
#define COLLIDER_BYTES 160

struct firn_stats {
    int file;
    int columns, stage_count;
    firn_local collider_count;
    char* path;  // owned
    char* line;  // owned [line_bytes]: being read or written
    size_t line_bytes;
    size_t used;
    char buffer[1 << 16];
};

static const char fixed_columns[] =
    "step,time,dt,iterations,residual,px,py,pz,kinetic,elastic,potential,max_speed,jp_min,jp_max,"
    "particles,culled,active_blocks,shear_iterations,neighbours";

static firn_result refuse_io(const firn_stats* s, const char* verb, firn_error* error)
{
    return firn_fail(error, FIRN_REFUSED_IO, "cannot %s '%s': %s", verb, s->path, strerror(errno));
}

firn_result firn_stats_flush(firn_stats* stats, firn_error* error)
{
    size_t done = 0;
    while (done < stats->used) {
        const ssize_t n = write(stats->file, stats->buffer + done, stats->used - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            if (n == 0) errno = EIO;
            // keep the rest for the next flush
            memmove(stats->buffer, stats->buffer + done, stats->used - done);
            stats->used -= done;
            return refuse_io(stats, "write", error);
        }
        done += (size_t)n;
    }
    stats->used = 0;
    return FIRN_OK;
}

// A row of many colliders may be longer than the buffer.
static firn_result add_bytes(firn_stats* s, const char* bytes, size_t count, firn_error* error)
{
    if (s->used + count > sizeof s->buffer) FIRN_TRY(firn_stats_flush(s, error));
    while (count > 0) {
        if (s->used == sizeof s->buffer) FIRN_TRY(firn_stats_flush(s, error));
        const size_t room = sizeof s->buffer - s->used, n = count < room ? count : room;
        memcpy(s->buffer + s->used, bytes, n);
        s->used += n;
        bytes += n;
        count -= n;
    }
    return FIRN_OK;
}

// The first line, with its end.
static firn_result make_header(const firn_stats* s, const char* const* stage_names,
                               firn_text* out_header, firn_error* error)
{
    firn_text_add(out_header, "%s", fixed_columns);
    for (int k = 0; k < s->stage_count; k++)
        firn_text_add(out_header, ",seconds_%s", stage_names[k]);
    for (int c = 0; c < (int)s->collider_count; c++)
        firn_text_add(out_header,
                      ",force_x_%d,force_y_%d,force_z_%d,torque_x_%d,torque_y_%d,torque_z_%d", c, c,
                      c, c, c, c);
    firn_text_add(out_header, "\n");
    if (out_header->failed)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for '%s'", s->path);
    if (out_header->length >= s->line_bytes)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "the stage names are too long for '%s'",
                         s->path);
    return FIRN_OK;
}

static int count_columns(const char* line)
{
    int columns = 1;
    for (const char* c = line; *c != '\0' && *c != '\n'; c++) columns += *c == ',';
    return columns;
}

// Whether this is a complete row of a step before `resume_step`.
static bool is_kept(const firn_stats* s, const char* line, size_t length, int64_t resume_step)
{
    if (length == 0 || line[length - 1] != '\n') return false;
    if (line[0] < '0' || line[0] > '9' || count_columns(line) != s->columns) return false;
    char* end;
    errno = 0;
    const long long step = strtoll(line, &end, 10);
    return errno == 0 && *end == ',' && step < resume_step;
}

// Finds the end of the rows to keep. *out_other: the first line is another header. Nothing is kept
// of an empty file or of one with an incomplete header.
static firn_result measure_kept(const firn_stats* s, const char* header, int64_t resume_step,
                                off_t* out_kept, bool* out_other, firn_error* error)
{
    *out_kept = 0;
    *out_other = false;
    const int copy = fcntl(s->file, F_DUPFD_CLOEXEC, 0);
    FILE* file = copy < 0 ? NULL : fdopen(copy, "r");
    if (file == NULL) {
        const firn_result result = refuse_io(s, "read", error);
        if (copy >= 0) close(copy);
        return result;
    }
    char* line = s->line;
    bool first = true;
    while (fgets(line, (int)s->line_bytes, file) != NULL) {
        const size_t length = strlen(line);
        if (first) {
            const bool incomplete = strchr(line, '\n') == NULL;
            *out_other = !incomplete && strcmp(line, header) != 0;
            if (incomplete || *out_other) break;
        } else if (!is_kept(s, line, length, resume_step)) {
            break;
        }
        first = false;
        *out_kept += (off_t)length;
    }
    const bool failed = ferror(file) != 0;
    firn_result result = failed ? refuse_io(s, "read", error) : FIRN_OK;
    fclose(file);
    return result;
}

static firn_result remove_later_rows(firn_stats* s, const char* header, int64_t resume_step,
                                     firn_error* error)
{
    off_t kept = 0;
    bool other = false;
    if (resume_step >= 0) FIRN_TRY(measure_kept(s, header, resume_step, &kept, &other, error));
    if (other)
        return firn_fail(
            error, FIRN_REFUSED_DAMAGED,
            "'%s' has other columns than this version of firn writes: move or delete it, then "
            "resume again",
            s->path);
    if (ftruncate(s->file, kept) != 0 || lseek(s->file, kept, SEEK_SET) != kept)
        return refuse_io(s, "truncate", error);
    return kept == 0 ? add_bytes(s, header, strlen(header), error) : FIRN_OK;
}

// Opens the file of the run itself, never one that a link leads to: rows would be written there.
// `anew`: a new file in place of what there is.
static firn_result open_own(firn_stats* s, const char* dir, bool anew, firn_error* error)
{
    const int folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return refuse_io(s, "open", error);
    if (anew && unlinkat(folder, FILE_NAME, 0) != 0 && errno != ENOENT) {
        const firn_result r = refuse_io(s, "replace", error);
        close(folder);
        return r;
    }
    s->file = openat(folder, FILE_NAME, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (s->file < 0 && errno == ENOENT)
        s->file = openat(folder, FILE_NAME, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int reason = errno;
    close(folder);
    errno = reason;
    struct stat status;
    const bool good = s->file >= 0 && fstat(s->file, &status) == 0;
    if (!good && errno != ELOOP) {
        const firn_result r = refuse_io(s, "open", error);
        if (s->file >= 0) close(s->file);
        return r;
    }
    if (good && S_ISREG(status.st_mode) && status.st_nlink == 1) return FIRN_OK;
    if (s->file >= 0) close(s->file);
    return firn_fail(error, FIRN_REFUSED_IO,
                     "'%s' is a link or a special file, and firn writes only to files of the run "
                     "itself: remove it",
                     s->path);
}

static firn_result open_file(firn_stats* s, const char* dir, const char* const* stage_names,
                             int64_t resume_step, firn_error* error)
{
    FIRN_TRY(open_own(s, dir, resume_step < 0, error));
    firn_text header = {0};
    firn_result result = make_header(s, stage_names, &header, error);
    if (result == FIRN_OK) {
        s->columns = count_columns(header.data);
        result = remove_later_rows(s, header.data, resume_step, error);
    }
    firn_text_destroy(&header);
    if (result == FIRN_OK) result = firn_stats_flush(s, error);
    if (result != FIRN_OK) close(s->file);
    return result;
}

static void destroy(firn_stats* s)
{
    firn_free(s->path);
    firn_free(s->line);
    firn_free(s);
}

firn_result firn_stats_open(const char* dir, const char* const* stage_names, int stage_count,
                            firn_local collider_count, int64_t resume_step, firn_stats** out_stats,
                            firn_error* error)
{
    if (stage_count < 0 || stage_count > FIRN_STAGES_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the solver has %d stages; stats.csv has room for %d", stage_count,
                         FIRN_STAGES_MAX);
    firn_stats* s = firn_alloc(1, sizeof *s);
    if (s == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for '%s/stats.csv'", dir);
    s->stage_count = stage_count;
    s->collider_count = collider_count;
    s->line_bytes = LINE_BYTES + (size_t)collider_count * COLLIDER_BYTES;
    s->line = firn_alloc(s->line_bytes, 1);
    firn_result result = s->line != NULL ? firn_path_print(&s->path, error, "%s/" FILE_NAME, dir)
                                         : firn_fail(error, FIRN_BROKEN_MEMORY,
                                                     "out of memory for '%s/stats.csv'", dir);
    if (result == FIRN_OK) result = open_file(s, dir, stage_names, resume_step, error);
    if (result == FIRN_OK)
        *out_stats = s;
    else
        destroy(s);
    return result;
}

// ",force,torque" of a collider [N], [N m]; returns its length.
static size_t print_load(char* out, size_t size, const firn_collider_load* load, double dt)
{
    const double by = dt > 0 ? 1 / dt : 0;
    const double *p = load->impulse, *l = load->angular;
    return (size_t)firn_print(out, size, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", p[0] * by, p[1] * by,
                              p[2] * by, l[0] * by, l[1] * by, l[2] * by);
}

firn_result firn_stats_add(firn_stats* stats, const firn_step_report* row,
                           const firn_collider_load* loads, firn_error* error)
{
    char* line = stats->line;
    const size_t size = stats->line_bytes;
    size_t n = (size_t)firn_print(
        line, size,
        "%lld,%.9g,%.9g,%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%d,%d,%d,%.9g",
        (long long)row->step, row->time, row->dt, row->iterations, row->residual, row->momentum[0],
        row->momentum[1], row->momentum[2], row->kinetic, row->elastic, row->potential,
        row->max_speed, row->plastic_min, row->plastic_max, (int)row->particle_count,
        (int)row->culled, (int)row->active_blocks, row->shear_iterations, row->neighbours);
    for (int k = 0; k < stats->stage_count; k++)
        n += (size_t)firn_print(line + n, size - n, ",%.9g", row->stage_seconds[k]);
    for (firn_local c = 0; c < stats->collider_count; c++)
        n += print_load(line + n, size - n, &loads[c], row->dt);
    line[n++] = '\n';
    return add_bytes(stats, line, n, error);
}

firn_result firn_stats_close(firn_stats* stats, firn_error* error)
{
    if (stats == NULL) return FIRN_OK;
    firn_result result = firn_stats_flush(stats, error);
    if (close(stats->file) != 0 && result == FIRN_OK) result = refuse_io(stats, "close", error);
    destroy(stats);
    return result;
}
