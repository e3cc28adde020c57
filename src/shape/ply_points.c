// SPDX-License-Identifier: MIT
// The data of a PLY file. Elements are walked in file order: `vertex` is read, others are skipped,
// and each is checked against the bytes that are left before anything is allocated or multiplied.
#define _GNU_SOURCE  // strtod_l: numbers must not depend on the user's locale
#include "shape/ply_points.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "mesh/ply_header.h"

#define FILE_MAX ((size_t)1 << 34)  // [bytes]
#define VALUE_MAX 1e9               // of coordinates and velocities, as for shapes

// What a point can have.
enum { X, Y, Z, VX, VY, VZ, MASS, DENSITY, WANTED_COUNT };
static const char* const wanted_names[WANTED_COUNT] = {"x",  "y",  "z",    "vx",
                                                       "vy", "vz", "mass", "density"};

typedef struct ply_job {
    const char* path;
    const char *data, *at, *end;  // the file, where we are, its end
    int64_t line;                 // of `at`, for ASCII
    locale_t locale;
    const firn_ply_header* header;
    int wanted[WANTED_COUNT];  // which property of `vertex` it is; -1: not in the file
    firn_ply_points points;
    firn_error* error;
} ply_job;

static size_t bytes_left(const ply_job* job)
{
    return (size_t)(job->end - job->at);
}

// Where we are, as the error says it: line for text, byte offset for binary.
static firn_result refuse(const ply_job* job, const char* what, const char* name)
{
    if (job->header->format == FIRN_PLY_ASCII)
        return firn_fail(job->error, FIRN_REFUSED_SCENE, "%s:%lld: %s '%s'", job->path,
                         (long long)job->line, what, name);
    return firn_fail(job->error, FIRN_REFUSED_SCENE, "%s: byte %zu: %s '%s'", job->path,
                     (size_t)(job->at - job->data), what, name);
}

static uint64_t load_bits(const char* at, size_t size, firn_ply_format format)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        const size_t place = format == FIRN_PLY_LITTLE ? i : size - 1 - i;
        bits |= (uint64_t)(unsigned char)at[i] << (8 * place);
    }
    return bits;
}

static double load_value(const char* at, firn_ply_type type, firn_ply_format format)
{
    const uint64_t bits = load_bits(at, firn_ply_type_size(type), format);
    const uint32_t bits32 = (uint32_t)bits;
    float f;
    double d;
    switch (type) {
    case FIRN_PLY_INT8: return (int8_t)bits;
    case FIRN_PLY_INT16: return (int16_t)bits;
    case FIRN_PLY_INT32: return (int32_t)bits;
    case FIRN_PLY_FLOAT32: memcpy(&f, &bits32, sizeof f); return (double)f;
    case FIRN_PLY_FLOAT64: memcpy(&d, &bits, sizeof d); return d;
    default: return (double)bits;
    }
}

// One element, binary: the values of its scalars (0 for lists) and how far it goes.
static firn_result read_binary(ply_job* job, const firn_ply_element* element, double* values)
{
    for (int i = 0; i < element->property_count; i++) {
        const firn_ply_property* p = &job->header->properties[element->first + i];
        const bool list = p->count_type != FIRN_PLY_NONE;
        const firn_ply_type type = list ? p->count_type : p->type;
        const size_t size = firn_ply_type_size(type);
        if (bytes_left(job) < size)
            return refuse(job, "the file ends inside element", element->name);
        const double value = load_value(job->at, type, job->header->format);
        values[i] = list ? 0 : value;
        if (list) {
            const size_t item = firn_ply_type_size(p->type);
            if (!(value >= 0)) return refuse(job, "negative length of list", p->name);
            if (value > (double)((bytes_left(job) - size) / item))
                return refuse(job, "the file ends inside list", p->name);
            job->at += (size_t)value * item;
        }
        job->at += size;
    }
    return FIRN_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// The next line that is not blank: [at, *out_end). False at the end of the file.
static bool find_line(ply_job* job, const char** out_end)
{
    while (job->at < job->end) {
        const char* newline = memchr(job->at, '\n', bytes_left(job));
        const char* end = newline == NULL ? job->end : newline;
        while (job->at < end && is_blank(*job->at)) job->at++;
        if (job->at < end) {
            *out_end = end;
            return true;
        }
        job->at = newline == NULL ? job->end : newline + 1;
        job->line++;
    }
    return false;
}

// One number of a line.
static firn_result read_number(ply_job* job, const char* line_end, const char* name, double* out)
{
    while (job->at < line_end && is_blank(*job->at)) job->at++;
    if (job->at == line_end) return refuse(job, "the line ends before", name);
    char* after;  // the file is zero-terminated and a line is not blank here: strtod stays inside
    *out = strtod_l(job->at, &after, job->locale);
    if (after == job->at || (after < line_end && !is_blank(*after)) || after > line_end)
        return refuse(job, "not a number for", name);
    job->at = after;
    return FIRN_OK;
}

// One element, ASCII: one line.
static firn_result read_text(ply_job* job, const firn_ply_element* element, double* values)
{
    if (element->property_count == 0) return FIRN_OK;
    const char* line_end;
    if (!find_line(job, &line_end))
        return refuse(job, "the file ends before the last element", element->name);
    for (int i = 0; i < element->property_count; i++) {
        const firn_ply_property* p = &job->header->properties[element->first + i];
        FIRN_TRY(read_number(job, line_end, p->name, &values[i]));
        if (p->count_type == FIRN_PLY_NONE) continue;
        const double length = values[i];
        values[i] = 0;
        if (!(length >= 0 && length <= (double)bytes_left(job) && length == floor(length)))
            return refuse(job, "impossible length of list", p->name);
        double ignored;
        for (int64_t k = 0; k < (int64_t)length; k++)
            FIRN_TRY(read_number(job, line_end, p->name, &ignored));
    }
    while (job->at < line_end && is_blank(*job->at)) job->at++;
    if (job->at < line_end)
        return refuse(job, "more numbers than properties in element", element->name);
    job->at = line_end < job->end ? line_end + 1 : line_end;
    job->line++;
    return FIRN_OK;
}

// Refuses a count that the rest of the file cannot hold.
static firn_result check_count(const ply_job* job, const firn_ply_element* element)
{
    const bool text = job->header->format == FIRN_PLY_ASCII;
    size_t least = 0;  // [bytes] of one element: in text a digit and a blank for each number
    for (int i = 0; i < element->property_count; i++) {
        const firn_ply_property* p = &job->header->properties[element->first + i];
        least += text ? 2 : firn_ply_type_size(p->count_type ? p->count_type : p->type);
    }
    const size_t left = bytes_left(job) + (text ? 1 : 0);  // the last line may end with the file
    if (least == 0 || (uint64_t)element->count <= left / least) return FIRN_OK;
    return firn_fail(job->error, FIRN_REFUSED_SCENE,
                     "%s: the header promises %lld of element '%s', at least %zu bytes each, but "
                     "only %zu bytes are left at byte %zu",
                     job->path, (long long)element->count, element->name, least, bytes_left(job),
                     (size_t)(job->at - job->data));
}

static firn_result find_wanted(ply_job* job, const firn_ply_element* element)
{
    for (int w = 0; w < WANTED_COUNT; w++) {
        job->wanted[w] = -1;
        for (int i = 0; i < element->property_count; i++) {
            const firn_ply_property* p = &job->header->properties[element->first + i];
            if (strcmp(p->name, wanted_names[w]) != 0) continue;
            if (p->count_type != FIRN_PLY_NONE)
                return firn_fail(job->error, FIRN_REFUSED_SCENE,
                                 "%s: property '%s' of 'vertex' is a list, must be a number",
                                 job->path, p->name);
            job->wanted[w] = i;
        }
    }
    for (int w = X; w <= VZ; w++) {
        const bool any =
            w <= Z || job->wanted[VX] >= 0 || job->wanted[VY] >= 0 || job->wanted[VZ] >= 0;
        if (any && job->wanted[w] < 0)
            return firn_fail(job->error, FIRN_REFUSED_SCENE,
                             "%s: element 'vertex' has no property '%s'", job->path,
                             wanted_names[w]);
    }
    return FIRN_OK;
}

static bool allocate(firn_ply_points* points, const ply_job* job, size_t count)
{
    bool good = (points->position = firn_alloc(count, sizeof(firn_vec3))) != NULL;
    if (good && job->wanted[VX] >= 0)
        good = (points->velocity = firn_alloc(count, sizeof(firn_vec3))) != NULL;
    if (good && job->wanted[MASS] >= 0)
        good = (points->mass = firn_alloc(count, sizeof(firn_real))) != NULL;
    if (good && job->wanted[DENSITY] >= 0)
        good = (points->density = firn_alloc(count, sizeof(firn_real))) != NULL;
    return good;
}

// The wanted values of one vertex, checked.
static firn_result take(ply_job* job, const double* values, firn_local p)
{
    firn_real v[WANTED_COUNT] = {0};
    for (int w = 0; w < WANTED_COUNT; w++) {
        if (job->wanted[w] < 0) continue;
        const double value = values[job->wanted[w]];
        const double low = w >= MASS ? 1e-30 : -VALUE_MAX;
        if (!(value >= low && value <= VALUE_MAX))
            return firn_fail(job->error, FIRN_REFUSED_SCENE,
                             "%s: point %lld: %s is %g, must be between %g and %g", job->path,
                             (long long)p + 1, wanted_names[w], value, low, VALUE_MAX);
        v[w] = (firn_real)value;
    }
    firn_ply_points* points = &job->points;
    points->position[p] = (firn_vec3){v[X], v[Y], v[Z]};
    if (points->velocity != NULL) points->velocity[p] = (firn_vec3){v[VX], v[VY], v[VZ]};
    if (points->mass != NULL) points->mass[p] = v[MASS];
    if (points->density != NULL) points->density[p] = v[DENSITY];
    return FIRN_OK;
}

static firn_result read_element(ply_job* job, const firn_ply_element* element)
{
    const bool is_vertex = strcmp(element->name, "vertex") == 0;
    FIRN_TRY(check_count(job, element));
    if (is_vertex) {
        FIRN_TRY(find_wanted(job, element));
        if (element->count > INT32_MAX)
            return firn_fail(job->error, FIRN_REFUSED_SCENE, "%s: %lld points, at most %d",
                             job->path, (long long)element->count, INT32_MAX);
        if (!allocate(&job->points, job, (size_t)element->count))
            return firn_fail(job->error, FIRN_BROKEN_MEMORY, "%s: no memory for %lld points",
                             job->path, (long long)element->count);
        job->points.count = (firn_local)element->count;
    }
    if (element->property_count == 0) return FIRN_OK;
    double values[FIRN_PLY_PROPERTIES_MAX];
    for (int64_t i = 0; i < element->count; i++) {
        FIRN_TRY(job->header->format == FIRN_PLY_ASCII ? read_text(job, element, values)
                                                       : read_binary(job, element, values));
        if (is_vertex) FIRN_TRY(take(job, values, (firn_local)i));
    }
    return FIRN_OK;
}

static firn_result read_elements(ply_job* job)
{
    bool found = false;
    for (int e = 0; e < job->header->element_count; e++) {
        found = found || strcmp(job->header->elements[e].name, "vertex") == 0;
        FIRN_TRY(read_element(job, &job->header->elements[e]));
    }
    if (found) return FIRN_OK;
    return firn_fail(job->error, FIRN_REFUSED_SCENE, "%s: there is no element 'vertex'", job->path);
}

static firn_result read_data(ply_job* job, size_t bytes)
{
    firn_ply_header* header = firn_alloc(1, sizeof *header);
    if (header == NULL)
        return firn_fail(job->error, FIRN_BROKEN_MEMORY, "%s: no memory to read it", job->path);
    firn_result result = firn_ply_parse_header(job->path, job->data, bytes, header, job->error);
    if (result == FIRN_OK) {
        job->header = header;
        job->at = job->data + header->data_at;
        job->end = job->data + bytes;
        job->line = header->line;
        job->locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
        result = job->locale == (locale_t)0
                     ? firn_fail(job->error, FIRN_BROKEN_MEMORY, "%s: no memory", job->path)
                     : read_elements(job);
        if (job->locale != (locale_t)0) freelocale(job->locale);
    }
    firn_free(header);
    return result;
}

firn_result firn_ply_read_points(const char* path, firn_ply_points* out_points, firn_error* error)
{
    ply_job job = {.path = path, .error = error};
    char* data;
    size_t bytes;
    FIRN_TRY(firn_file_read(path, FILE_MAX, &data, &bytes, error));
    job.data = data;
    const firn_result result = read_data(&job, bytes);
    firn_free(data);
    if (result != FIRN_OK) {
        firn_ply_points_destroy(&job.points);
        return result;
    }
    *out_points = job.points;
    return FIRN_OK;
}

void firn_ply_points_destroy(firn_ply_points* points)
{
    firn_free(points->position);
    firn_free(points->velocity);
    firn_free(points->mass);
    firn_free(points->density);
    *points = (firn_ply_points){0};
}
