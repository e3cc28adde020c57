// SPDX-License-Identifier: MIT
// Parses one value of a scene file: number, boolean, choice, vector, rotation; with unit and range.
// The locale is "C" while a scene is parsed (parse.c), so that strtod reads a decimal point.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/paths.h"
#include "core/suggest.h"
#include "math/quat.h"
#include "scene/parse/reader.h"
#include "scene/parse/units.h"

#define DEGREE 0.017453292519943295  // [rad]

// Describes a value for a message: "'abc'", "a list", "nothing".
static const char* describe(const firn_doc_node* node, char* text, size_t size)
{
    switch (node->type) {
    case FIRN_DOC_NULL: return "nothing";
    case FIRN_DOC_LIST: return "a list";
    case FIRN_DOC_MAP: return "a block of keys";
    default: break;
    }
    size_t length = strlen(node->text);
    const char* dots = "";
    if (length > 40) {
        length = 40;
        while (length > 0 && ((unsigned char)node->text[length] & 0xc0) == 0x80) length--;
        dots = "...";
    }
    snprintf(text, size, "'%.*s%s'", (int)length, node->text, dots);
    return text;
}

static bool refuse(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node,
                   const char* expected)
{
    char found[64];
    firn_doc_error(r->doc, node, "'%s' must be %s, not %s", key->name, expected,
                   describe(node, found, sizeof found));
    return false;
}

void firn_hint(const char* word, const char* const* names, size_t count, char* text, size_t size)
{
    // A long word is not treated as a typo.
    const char* near = strlen(word) <= 40 ? firn_suggest(word, names, count) : NULL;
    text[0] = 0;
    if (near != NULL) snprintf(text, size, " (did you mean '%s'?)", near);
}

// Length of the number at the start of a text; 0: none. Hexadecimal, "inf" and "nan" do not count.
static size_t number_length(const char* text)
{
    const char* at = text;
    if (*at == '+' || *at == '-') at++;
    const size_t whole = strspn(at, "0123456789");
    at += whole;
    size_t fraction = 0;
    if (*at == '.') {
        fraction = strspn(at + 1, "0123456789");
        at += 1 + fraction;
    }
    if (whole + fraction == 0) return 0;
    if (*at == 'e' || *at == 'E') {
        const char* exponent = at + 1;
        if (*exponent == '+' || *exponent == '-') exponent++;
        const size_t digits = strspn(exponent, "0123456789");
        if (digits > 0) at = exponent + digits;
    }
    return (size_t)(at - text);
}

static const char* unit_text(const firn_key* key)
{
    return key->unit != NULL && strcmp(key->unit, "-") != 0 ? key->unit : "";
}

static bool check_range(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node,
                        double value)
{
    if (!isfinite(value)) return refuse(r, key, node, "a finite number");
    if (key->low >= key->high || (value >= key->low && value <= key->high)) return true;
    const char* unit = unit_text(key);
    const char* space = unit[0] != 0 ? " " : "";
    if (isinf(key->high)) {
        firn_doc_error(r->doc, node, "'%s' is %.10g%s%s, but must be at least %.10g%s%s", key->name,
                       value, space, unit, key->low, space, unit);
    } else if (isinf(key->low)) {
        firn_doc_error(r->doc, node, "'%s' is %.10g%s%s, but must be at most %.10g%s%s", key->name,
                       value, space, unit, key->high, space, unit);
    } else {
        firn_doc_error(r->doc, node, "'%s' is %.10g%s%s, but must be between %.10g and %.10g%s%s",
                       key->name, value, space, unit, key->low, key->high, space, unit);
    }
    return false;
}

static bool is_hours(const firn_key* key)
{
    return key->unit != NULL && strcmp(key->unit, "h") == 0;
}

// The rest of "15:30" after its hours.
static bool read_minutes(const char* text, double* value)
{
    if (text[0] != ':' || strspn(text + 1, "0123456789") != 2 || text[3] != 0) return false;
    const int minutes = 10 * (text[1] - '0') + text[2] - '0';
    if (minutes > 59) return false;
    *value += minutes / 60.0;
    return true;
}

bool firn_read_number(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node,
                      double* out_value)
{
    if (node->type != FIRN_DOC_SCALAR) return refuse(r, key, node, "a number");
    const size_t length = number_length(node->text);
    if (length == 0) return refuse(r, key, node, "a number");
    double value = strtod(node->text, NULL);
    const char* suffix = node->text + length;
    suffix += strspn(suffix, " ");
    char message[400];
    if (is_hours(key) && read_minutes(suffix, &value)) suffix = "";
    if (suffix[0] != 0 && !firn_unit_convert(key->unit, suffix, &value, message, sizeof message)) {
        firn_doc_error(r->doc, node, "'%s': %s", key->name, message);
        return false;
    }
    if (!check_range(r, key, node, value)) return false;
    *out_value = value;
    return true;
}

static bool read_int(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node,
                     int64_t* field)
{
    double value;
    if (!firn_read_number(r, key, node, &value)) return false;
    if (value != floor(value) || fabs(value) > 9007199254740992.0)  // 2^53: exact integers
        return refuse(r, key, node, "a whole number");
    *field = (int64_t)value;
    return true;
}

static bool read_bool(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node,
                      bool* field)
{
    static const char *const yes[] = {"true", "True", "TRUE"}, *const no[] = {"false", "False",
                                                                              "FALSE"};
    if (node->type == FIRN_DOC_SCALAR)
        for (int i = 0; i < 3; i++) {
            const bool is_true = strcmp(node->text, yes[i]) == 0;
            if (!is_true && strcmp(node->text, no[i]) != 0) continue;
            *field = is_true;
            return true;
        }
    return refuse(r, key, node, "true or false");
}

// Index of a choice; -1 after an error.
static int read_choice(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node)
{
    size_t count = 0;
    while (key->choices[count] != NULL) count++;
    if (node->type == FIRN_DOC_SCALAR) {
        for (size_t i = 0; i < count; i++)
            if (strcmp(key->choices[i], node->text) == 0) return (int)i;
    }
    char list[300] = "", hint[100] = "";
    for (size_t i = 0, used = 0; i < count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                                 key->choices[i]);
    if (node->type == FIRN_DOC_SCALAR)
        firn_hint(node->text, key->choices, count, hint, sizeof hint);
    char found[64];
    firn_doc_error(r->doc, node, "'%s' cannot be %s; choose from: %s%s", key->name,
                   describe(node, found, sizeof found), list, hint);
    return -1;
}

static bool read_flags(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node,
                       uint32_t* field)
{
    uint32_t flags = 0;
    bool ok = true;
    if (node->type == FIRN_DOC_SCALAR) {  // a single choice needs no brackets
        const int choice = read_choice(r, key, node);
        if (choice < 0) return false;
        flags = 1u << choice;
    } else if (node->type == FIRN_DOC_LIST) {
        for (const firn_doc_node* item = node->first; item != NULL; item = item->next) {
            const int choice = read_choice(r, key, item);
            ok = ok && choice >= 0;
            if (choice >= 0) flags |= 1u << choice;
        }
    } else {
        return refuse(r, key, node, "a list of names");
    }
    if (ok) *field = flags;
    return ok;
}

static bool read_numbers(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node,
                         int count, double* out)
{
    bool ok = true;
    int i = 0;
    for (const firn_doc_node* item = node->first; item != NULL && i < count; item = item->next)
        ok = firn_read_number(r, key, item, &out[i++]) && ok;
    return ok;
}

static bool read_vec3(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node,
                      double* field)
{
    double value[3];
    if (node->type != FIRN_DOC_LIST) return refuse(r, key, node, "a list of 3 numbers");
    if (node->count != 3) {
        firn_doc_error(r->doc, node, "'%s' must be a list of 3 numbers, not of %d", key->name,
                       (int)node->count);
        return false;
    }
    if (!read_numbers(r, key, node, 3, value)) return false;
    memcpy(field, value, sizeof value);
    return true;
}

// Euler angles as in firn_q_from_euler (x, then y, then z, fixed axes), in double.
static void euler_to_quaternion(const double* degrees, double* q)
{
    double c[3] = {0}, s[3] = {0};
    for (int i = 0; i < 3; i++) firn_sincos_double(0.5 * DEGREE * degrees[i], &s[i], &c[i]);
    q[0] = c[2] * c[1] * c[0] + s[2] * s[1] * s[0];
    q[1] = c[2] * c[1] * s[0] - s[2] * s[1] * c[0];
    q[2] = c[2] * s[1] * c[0] + s[2] * c[1] * s[0];
    q[3] = s[2] * c[1] * c[0] - c[2] * s[1] * s[0];
}

static bool read_rotation(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node,
                          double* field)
{
    static const char expected[] =
        "3 angles in degrees about x, y, z, or a quaternion [w, x, y, z]";
    if (node->type != FIRN_DOC_LIST) return refuse(r, key, node, expected);
    double value[4] = {0};
    if (node->count == 3) {
        const firn_key angle = {.name = key->name, .unit = "deg", .low = -3600, .high = 3600};
        if (!read_numbers(r, &angle, node, 3, value)) return false;
        euler_to_quaternion(value, field);
        return true;
    }
    if (node->count != 4) {
        firn_doc_error(r->doc, node, "'%s' must be %s, not a list of %d", key->name, expected,
                       (int)node->count);
        return false;
    }
    const firn_key part = {.name = key->name, .unit = "-", .low = -1e6, .high = 1e6};
    if (!read_numbers(r, &part, node, 4, value)) return false;
    double length = 0;
    for (int i = 0; i < 4; i++) length += value[i] * value[i];
    if (length < 1e-12) {
        firn_doc_error(r->doc, node,
                       "'%s' is a quaternion of length zero, which turns nothing: for no "
                       "rotation write [1, 0, 0, 0]",
                       key->name);
        return false;
    }
    length = sqrt(length);
    for (int i = 0; i < 4; i++) field[i] = value[i] / length;
    return true;
}

static bool keep_text(firn_scene_reader* r, char* copy, char** field)
{
    if (copy == NULL) {
        r->out_of_memory = true;
        return false;
    }
    firn_free(*field);
    *field = copy;
    return true;
}

static bool read_text(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node,
                      char** field)
{
    if (node->type != FIRN_DOC_SCALAR || node->text[0] == 0) return refuse(r, key, node, "a text");
    if (strlen(node->text) > 1000) return refuse(r, key, node, "a text of at most 1000 characters");
    return keep_text(r, firn_strdup(node->text), field);
}

// Relative paths refer to the scene's folder; those of an override, which is typed or comes from a
// program, to the current one. The tree gets the absolute path, so that a copy of the scene
// elsewhere (in the folder of a run) still finds the file.
static bool read_path(firn_scene_reader* r, const firn_key* key, firn_doc_node* node, char** field)
{
    if (node->type != FIRN_DOC_SCALAR || node->text[0] == 0) return refuse(r, key, node, "a path");
    const bool relative = node->text[0] != '/' && r->folder != NULL;
    const bool typed = r->doc->sources[node->source].text == NULL;
    char* current = relative && typed ? realpath(".", NULL) : NULL;  // allocated by libc
    const char* folder = !relative ? "" : current != NULL ? current : r->folder;
    char* path = NULL;
    const firn_result result =
        firn_path_print(&path, NULL, "%s%s%s", folder, relative ? "/" : "", node->text);
    free(current);
    if (result == FIRN_REFUSED_IO) return refuse(r, key, node, "a shorter path");
    char* text = path == NULL ? NULL : firn_doc_copy_text(r->doc, path, strlen(path));
    if (text == NULL) {
        firn_free(path);
        r->out_of_memory = true;
        return false;
    }
    node->text = text;
    return keep_text(r, path, field);
}

bool firn_read_scalar(firn_scene_reader* r, const firn_key* key, const firn_doc_node* node,
                      void* field)
{
    switch (key->type) {
    case FIRN_KEY_BOOL: return read_bool(r, key, node, field);
    case FIRN_KEY_INT: return read_int(r, key, node, field);
    case FIRN_KEY_REAL: return firn_read_number(r, key, node, field);
    case FIRN_KEY_VEC3: return read_vec3(r, key, node, field);
    case FIRN_KEY_ROTATION: return read_rotation(r, key, node, field);
    case FIRN_KEY_FLAGS: return read_flags(r, key, node, field);
    case FIRN_KEY_TEXT: return read_text(r, key, node, field);
    case FIRN_KEY_PATH: return read_path(r, key, (firn_doc_node*)node, field);
    case FIRN_KEY_ENUM: {
        const int choice = read_choice(r, key, node);
        if (choice >= 0) *(int32_t*)field = choice;
        return choice >= 0;
    }
    default: return refuse(r, key, node, "of another kind");
    }
}
