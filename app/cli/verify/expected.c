// SPDX-License-Identifier: MIT
// Reading expected.csv and compare.csv: columns without quotes; the last one may contain commas.
#include "cli/verify/expected.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COLUMNS_MAX = 10, FILE_BYTES_MAX = 1 << 20 };

const char* const verify_solvers[VERIFY_SOLVERS] = {"mpm", "sph", "grains"};

// A row, or a line of compare.csv, from its cells.
typedef bool read_cells_fn(char** cells, verify_row* row);

// One kind of file.
typedef struct file_format {
    const char *file, *header;
    int columns, rows_per_line;
    read_cells_fn* read_cells;
    const char* rule;
} file_format;

static bool refuse(firn_error* error, const char* path, int line, const char* what)
{
    snprintf(error->text, sizeof error->text, "%s:%d: %s", path, line, what);
    error->code = FIRN_REFUSED_SCENE;
    return false;
}

static bool out_of_memory(firn_error* error)
{
    snprintf(error->text, sizeof error->text, "out of memory for the expected values");
    error->code = FIRN_BROKEN_MEMORY;
    return false;
}

static bool grow(void** array, int* capacity, int need, size_t size)
{
    if (need <= *capacity) return true;
    const int more = need > 2 * *capacity ? need : 2 * *capacity;
    void* larger = realloc(*array, (size_t)more * size);
    if (larger == NULL) return false;
    *array = larger;
    *capacity = more;
    return true;
}

// Regular files only: a pipe would block for ever.
static FILE* open_file(const char* path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (file < 0) return NULL;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return fdopen(file, "rb");
    close(file);
    errno = EINVAL;
    return NULL;
}

// The whole file as text, kept by the list. Null with errno: it cannot be read.
static char* read_text(verify_list* list, const char* path)
{
    FILE* file = open_file(path);
    if (file == NULL) return NULL;
    char* text = calloc(FILE_BYTES_MAX + 1, 1);
    if (text != NULL) text[fread(text, 1, FILE_BYTES_MAX, file)] = '\0';
    const bool good =
        text != NULL && !ferror(file) &&
        grow((void**)&list->texts, &list->text_capacity, list->text_count + 1, sizeof *list->texts);
    fclose(file);
    if (good) {
        char* exact = realloc(text, strlen(text) + 1);
        list->texts[list->text_count++] = exact != NULL ? exact : text;
        return list->texts[list->text_count - 1];
    }
    free(text);
    errno = ENOMEM;
    return NULL;
}

// A number, or `none` where the text is empty. False: something else.
static bool read_number(const char* text, double none, double* out)
{
    char* end;
    *out = *text == '\0' ? none : strtod(text, &end);
    return *text == '\0' || (*end == '\0' && isfinite(*out));
}

// "0.01" in the unit of the reference, or "2%" of it.
static bool read_tolerance(char* text, double reference, double* out)
{
    const size_t length = strlen(text);
    const bool percent = length > 0 && text[length - 1] == '%';
    if (percent) text[length - 1] = '\0';
    if (!read_number(text, NAN, out) || !(*out >= 0)) return false;
    if (percent) *out *= fabs(reference) / 100;
    return true;
}

static bool read_window(char** cells, verify_row* row)
{
    return read_number(cells[0], -INFINITY, &row->from) &&
           read_number(cells[1], INFINITY, &row->to);
}

static bool read_run(const char* cell, verify_row* row)
{
    row->full = strcmp(cell, "full") == 0;
    return row->full || strcmp(cell, "quick") == 0;
}

static bool read_expected(char** cells, verify_row* row)
{
    row->solver = cells[1];
    row->quantity = cells[2];
    row->unit = cells[7];
    row->source = cells[9];
    return read_window(&cells[3], row) && read_number(cells[5], NAN, &row->reference) &&
           isfinite(row->reference) && read_tolerance(cells[6], row->reference, &row->tolerance) &&
           read_run(cells[8], row);
}

static bool read_compared(char** cells, verify_row* row)
{
    row->quantity = cells[1];
    row->unit = cells[4];
    row->source = cells[6];
    row->reference = row->tolerance = NAN;
    return read_window(&cells[2], row) && read_run(cells[5], row);
}

#define EXPECTED_HEADER "variant,solver,quantity,from,to,reference,tolerance,unit,run,source"
#define COMPARED_HEADER "variant,quantity,from,to,unit,run,why"
static const file_format formats[2] = {
    {"expected.csv", EXPECTED_HEADER, 10, 1, read_expected,
     "expected ten values, separated by commas: " EXPECTED_HEADER
     "; numbers in from, to, reference and tolerance, quick or full in run"},
    {"compare.csv", COMPARED_HEADER, 7, VERIFY_SOLVERS, read_compared,
     "expected seven values, separated by commas: " COMPARED_HEADER
     "; numbers in from and to, quick or full in run"},
};

static bool read_row(char* line, const file_format* format, verify_row* row)
{
    char* cells[COLUMNS_MAX];
    for (int k = 0; k < format->columns; k++) {
        cells[k] = line;
        if (k == format->columns - 1) break;
        char* comma = strchr(line, ',');
        if (comma == NULL) return false;
        *comma = '\0';
        line = comma + 1;
    }
    row->variant = strcmp(cells[0], "default") == 0 ? "" : cells[0];
    return format->read_cells(cells, row);
}

// Rows of a line of compare.csv differ in their solvers.
static bool add_rows(verify_list* list, const verify_row* row, int count)
{
    if (!grow((void**)&list->rows, &list->capacity, list->count + count, sizeof *list->rows))
        return false;
    for (int k = 0; k < count; k++) {
        verify_row* added = &list->rows[list->count++];
        *added = *row;
        if (count > 1) added->solver = verify_solvers[k];
    }
    return true;
}

static bool read_file(verify_list* list, const char* scene, const char* path,
                      const verify_choice* choice, firn_error* error)
{
    const file_format* format = &formats[choice->compare];
    char* text = read_text(list, path);
    if (text == NULL && errno == ENOENT) return true;  // a scene without such a file
    if (text == NULL) return refuse(error, path, 1, strerror(errno));
    char* rest = NULL;
    int number = 1;
    char* line = strtok_r(text, "\n", &rest);
    if (line == NULL || strcmp(line, format->header) != 0) {
        char what[200];
        snprintf(what, sizeof what, "the first line must be: %s", format->header);
        return refuse(error, path, 1, what);
    }
    while ((line = strtok_r(NULL, "\n", &rest)) != NULL) {
        number++;
        verify_row row = {.scene = scene, .value = NAN};
        if (!read_row(line, format, &row)) return refuse(error, path, number, format->rule);
        if (row.full && !choice->full)
            list->left_out += format->rows_per_line;
        else if (!add_rows(list, &row, format->rows_per_line))
            return out_of_memory(error);
    }
    return true;
}

// A line "name\ttitle\tpath" of the list of scenes.
static bool read_scene(verify_list* list, char* line, const verify_choice* choice,
                       firn_error* error)
{
    char* title = strchr(line, '\t');
    char* path = title != NULL ? strchr(title + 1, '\t') : NULL;
    if (path == NULL) return true;
    *title = '\0';
    path++;
    const char* slash = strrchr(path, '/');
    if (slash == NULL || strstr(path, "/validation/") == NULL) return true;
    if (choice->only != NULL && strstr(line, choice->only) == NULL) return true;
    const char* name = formats[choice->compare].file;
    const size_t folder = (size_t)(slash - path) + 1, size = folder + strlen(name) + 1;
    char* file = malloc(size);
    if (file == NULL) return out_of_memory(error);
    snprintf(file, size, "%.*s%s", (int)folder, path, name);
    const bool good = read_file(list, line, file, choice, error);
    free(file);
    return good;
}

bool verify_list_read(verify_list* out_list, const verify_choice* choice, firn_error* out_error)
{
    verify_list list = {0};
    bool good = firn_scene_list(&list.scenes, out_error) == FIRN_OK;
    char* rest = NULL;
    char* line = good ? strtok_r(list.scenes, "\n", &rest) : NULL;
    for (; line != NULL && good; line = strtok_r(NULL, "\n", &rest))
        good = read_scene(&list, line, choice, out_error);
    if (good)
        *out_list = list;
    else
        verify_list_destroy(&list);
    return good;
}

const char* verify_limit(const verify_row* row)
{
    static const char mark[] = "; limit: ";
    const char* at = strstr(row->source, mark);
    return at != NULL ? at + sizeof mark - 1 : NULL;
}

void verify_list_destroy(verify_list* list)
{
    for (int k = 0; k < list->text_count; k++) free(list->texts[k]);
    free(list->texts);
    free(list->rows);
    firn_text_free(list->scenes);
    *list = (verify_list){0};
}
