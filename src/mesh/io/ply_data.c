// SPDX-License-Identifier: MIT
// The data of a PLY file. In text files an item is one line; blank lines are skipped.
#include "mesh/io/ply_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/words.h"

firn_result firn_ply_open(const char* path, const char* data, size_t bytes, firn_ply_data* out_ply,
                          firn_error* error)
{
    *out_ply = (firn_ply_data){.path = path, .data = data, .end = data + bytes, .error = error};
    out_ply->header = firn_alloc(1, sizeof *out_ply->header);
    if (out_ply->header == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to read it", path);
    FIRN_TRY(firn_ply_parse_header(path, data, bytes, out_ply->header, error));
    out_ply->at = out_ply->item_at = data + out_ply->header->data_at;
    out_ply->line = out_ply->item_line = out_ply->header->line;
    return FIRN_OK;
}

void firn_ply_close(firn_ply_data* ply)
{
    firn_free(ply->header);
    firn_free(ply->numbers);
    *ply = (firn_ply_data){0};
}

const firn_ply_element* firn_ply_find_element(const firn_ply_data* ply, const char* name)
{
    for (int e = 0; e < ply->header->element_count; e++)
        if (strcmp(ply->header->elements[e].name, name) == 0) return &ply->header->elements[e];
    return NULL;
}

firn_result firn_ply_find_scalar(const firn_ply_data* ply, const firn_ply_element* element,
                                 const char* name, bool required, int* out_index)
{
    *out_index = -1;
    for (int i = 0; i < element->property_count; i++) {
        const firn_ply_property* p = &ply->header->properties[element->first + i];
        if (strcmp(p->name, name) != 0) continue;
        if (p->count_type != FIRN_PLY_NONE)
            return firn_fail(ply->error, FIRN_REFUSED_SCENE,
                             "%s: property '%s' of '%s' is a list, must be a number", ply->path,
                             name, element->name);
        *out_index = i;
    }
    if (*out_index >= 0 || !required) return FIRN_OK;
    return firn_fail(ply->error, FIRN_REFUSED_SCENE, "%s: element '%s' has no property '%s'",
                     ply->path, element->name, name);
}

static size_t bytes_left(const firn_ply_data* ply)
{
    return (size_t)(ply->end - ply->at);
}

firn_result firn_ply_check_count(const firn_ply_data* ply, const firn_ply_element* element)
{
    const bool text = ply->header->format == FIRN_PLY_ASCII;
    size_t least = 0;  // [bytes] minimum size of one item; in text a digit and a blank per number
    for (int i = 0; i < element->property_count; i++) {
        const firn_ply_property* p = &ply->header->properties[element->first + i];
        least += text ? 2 : firn_ply_type_size(p->count_type ? p->count_type : p->type);
    }
    const size_t left = bytes_left(ply) + (text ? 1 : 0);  // the last line may lack its line end
    if (least == 0 || (uint64_t)element->count <= left / least) return FIRN_OK;
    return firn_fail(ply->error, FIRN_REFUSED_SCENE,
                     "%s: the header promises %lld of element '%s', at least %zu bytes each, but "
                     "only %zu bytes are left at byte %zu",
                     ply->path, (long long)element->count, element->name, least, bytes_left(ply),
                     (size_t)(ply->at - ply->data));
}

static firn_result refuse(const firn_ply_data* ply, const char* what, const char* name)
{
    if (ply->header->format == FIRN_PLY_ASCII)
        return firn_fail(ply->error, FIRN_REFUSED_SCENE, "%s:%lld: %s '%s'", ply->path,
                         (long long)ply->line, what, name);
    return firn_fail(ply->error, FIRN_REFUSED_SCENE, "%s: byte %zu: %s '%s'", ply->path,
                     (size_t)(ply->at - ply->data), what, name);
}

void firn_ply_location(const firn_ply_data* ply, char* out_text, size_t size)
{
    if (ply->header->format == FIRN_PLY_ASCII)
        snprintf(out_text, size, "%s:%lld: ", ply->path, (long long)ply->item_line);
    else
        snprintf(out_text, size, "%s: byte %zu: ", ply->path, (size_t)(ply->item_at - ply->data));
}

// Reserves space for the numbers of the list.
static firn_result keep(firn_ply_data* ply, double length)
{
    if (length > ply->list_max) return refuse(ply, "too many numbers in list", ply->list->name);
    void* array = ply->numbers;
    if (!firn_reserve(&array, &ply->number_capacity, (firn_local)length, sizeof(double)))
        return firn_fail(ply->error, FIRN_BROKEN_MEMORY, "%s: no memory for list '%s'", ply->path,
                         ply->list->name);
    ply->numbers = array;
    ply->number_count = 0;
    return FIRN_OK;
}

static uint64_t load_bits(const char* at, size_t size, firn_ply_format format)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        const size_t byte = format == FIRN_PLY_LITTLE ? i : size - 1 - i;
        bits |= (uint64_t)(unsigned char)at[i] << (8 * byte);
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

static firn_result read_binary_list(firn_ply_data* ply, const firn_ply_property* p, double length)
{
    const size_t size = firn_ply_type_size(p->type);
    if (length > (double)(bytes_left(ply) / size))
        return refuse(ply, "the file ends inside list", p->name);
    if (p == ply->list) {
        FIRN_TRY(keep(ply, length));
        for (; ply->number_count < (firn_local)length; ply->number_count++)
            ply->numbers[ply->number_count] = load_value(ply->at + (size_t)ply->number_count * size,
                                                         p->type, ply->header->format);
    }
    ply->at += (size_t)length * size;
    return FIRN_OK;
}

static firn_result read_binary(firn_ply_data* ply, const firn_ply_element* element, double* values)
{
    for (int i = 0; i < element->property_count; i++) {
        const firn_ply_property* p = &ply->header->properties[element->first + i];
        const bool list = p->count_type != FIRN_PLY_NONE;
        const firn_ply_type type = list ? p->count_type : p->type;
        if (bytes_left(ply) < firn_ply_type_size(type))
            return refuse(ply, "the file ends inside element", element->name);
        values[i] = load_value(ply->at, type, ply->header->format);
        if (list && values[i] < 0) return refuse(ply, "negative length of list", p->name);
        ply->at += firn_ply_type_size(type);
        if (list) FIRN_TRY(read_binary_list(ply, p, values[i]));
    }
    return FIRN_OK;
}

static firn_result read_number(firn_ply_data* ply, const char* name, double* out)
{
    firn_word word;
    *out = 0;
    if (!firn_word_next(&ply->at, ply->end, &word))
        return refuse(ply, "the line ends before", name);
    if (!firn_word_number(word, out)) return refuse(ply, "not a number for", name);
    return FIRN_OK;
}

// Advances to the first word of the next line that is not blank. False at the end of the file.
static bool find_line(firn_ply_data* ply)
{
    firn_word word;
    while (ply->at < ply->end) {
        const char* begin = ply->at;
        if (firn_word_next(&ply->at, ply->end, &word)) {
            ply->at = begin;
            return true;
        }
        if (ply->at == ply->end) break;
        ply->at++;
        ply->line++;
    }
    return false;
}

static firn_result read_text_list(firn_ply_data* ply, const firn_ply_property* p, double length)
{
    const bool stored = p == ply->list;
    // A digit and a blank per number, except after the last.
    if (!(length >= 0 && 2 * length <= (double)bytes_left(ply) + 1 && length == floor(length)))
        return refuse(ply, "impossible length of list", p->name);
    if (stored) FIRN_TRY(keep(ply, length));
    for (int64_t k = 0; k < (int64_t)length; k++) {
        double number;
        FIRN_TRY(read_number(ply, p->name, &number));
        if (stored) ply->numbers[ply->number_count++] = number;
    }
    return FIRN_OK;
}

static firn_result read_text(firn_ply_data* ply, const firn_ply_element* element, double* values)
{
    if (!find_line(ply)) return refuse(ply, "the file ends before the last element", element->name);
    ply->item_at = ply->at;
    ply->item_line = ply->line;
    for (int i = 0; i < element->property_count; i++) {
        const firn_ply_property* p = &ply->header->properties[element->first + i];
        FIRN_TRY(read_number(ply, p->name, &values[i]));
        if (p->count_type != FIRN_PLY_NONE) FIRN_TRY(read_text_list(ply, p, values[i]));
    }
    firn_word word;
    if (firn_word_next(&ply->at, ply->end, &word))
        return refuse(ply, "more numbers than properties in element", element->name);
    if (ply->at < ply->end) {
        ply->at++;
        ply->line++;
    }
    return FIRN_OK;
}

firn_result firn_ply_read_item(firn_ply_data* ply, const firn_ply_element* element,
                               double values[FIRN_PLY_PROPERTIES_MAX])
{
    ply->item_at = ply->at;
    ply->item_line = ply->line;
    if (element->property_count == 0) return FIRN_OK;
    return ply->header->format == FIRN_PLY_ASCII ? read_text(ply, element, values)
                                                 : read_binary(ply, element, values);
}

firn_result firn_ply_skip(firn_ply_data* ply, const firn_ply_element* element)
{
    double values[FIRN_PLY_PROPERTIES_MAX];
    FIRN_TRY(firn_ply_check_count(ply, element));
    if (element->property_count == 0) return FIRN_OK;
    for (int64_t i = 0; i < element->count; i++) FIRN_TRY(firn_ply_read_item(ply, element, values));
    return FIRN_OK;
}
