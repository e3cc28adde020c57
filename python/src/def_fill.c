// SPDX-License-Identifier: MIT
// Fills definitions from dictionaries by the tables of defs.c, and describes the tables.
#include <limits.h>
#include <string.h>

#include "firnpy.h"

static const def_table* find_table(const char* name)
{
    for (int k = 0; k < def_table_count; k++)
        if (strcmp(def_tables[k].name, name) == 0) return &def_tables[k];
    return NULL;
}

static bool to_align(PyObject* value, firn_align* out)
{
    static const char* const names[] = {"left", "center", "right"};
    const char* text;
    if (!to_text(value, &text, "align")) return false;
    for (int k = 0; k < 3; k++)
        if (text != NULL && strcmp(text, names[k]) == 0) {
            *out = (firn_align)k;
            return true;
        }
    PyErr_Format(PyExc_ValueError, "align must be 'left', 'center' or 'right', not %R", value);
    return false;
}

static void set_int(PyObject* whole, int* at)
{
    const long number = PyLong_AsLong(whole);
    if (number < INT_MIN || number > INT_MAX)
        PyErr_Format(PyExc_OverflowError, "%R is too large", whole);
    *at = (int)number;
}

static bool set_number(PyObject* value, const def_row* row, void* at)
{
    if (row->type == DEF_REAL || row->type == DEF_DOUBLE) {
        const double number = PyFloat_AsDouble(value);
        if (number == -1 && PyErr_Occurred()) return false;
        if (row->type == DEF_DOUBLE)
            *(double*)at = number;
        else
            *(firn_real*)at = (firn_real)number;
        return true;
    }
    PyObject* whole = PyNumber_Index(value);  // an integer of numpy is one
    if (whole == NULL) return false;
    if (row->type == DEF_UINT64)
        *(uint64_t*)at = PyLong_AsUnsignedLongLong(whole);
    else if (row->type == DEF_INT64)
        *(int64_t*)at = PyLong_AsLongLong(whole);
    else
        set_int(whole, at);
    Py_DECREF(whole);
    return !PyErr_Occurred();
}

static bool set_field(PyObject* value, const def_row* row, char* def)
{
    void* at = def + row->offset;
    int truth;
    switch (row->type) {
    case DEF_BOOL:
        truth = PyObject_IsTrue(value);
        *(bool*)at = truth > 0;
        return truth >= 0;
    case DEF_TEXT: return to_text(value, (const char**)at, row->name);
    case DEF_VEC3: return to_vec3(value, at, row->name);
    case DEF_DOUBLE3: return to_double3(value, at, row->name);
    case DEF_QUAT: return to_quat(value, at, row->name);
    case DEF_ALIGN: return to_align(value, at);
    default: return set_number(value, row, at);
    }
}

// "TypeError: must be real number, not str" does not say which argument.
static void name_argument(const def_row* row)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject* text = value != NULL ? PyObject_Str(value) : NULL;
    const char* words = text != NULL ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    if (words != NULL && strstr(words, row->name) == NULL) {
        PyErr_Format(type, "%s: %s", row->name, words);
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(trace);
    } else {
        PyErr_Restore(type, value, trace);
    }
    Py_XDECREF(text);
}

static bool is_word(const char* words, const char* word)
{
    const size_t length = strlen(word);
    for (const char* at = strstr(words, word); at != NULL; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

bool def_fill(const char* table, void* def, PyObject* dict, const char* skip)
{
    const def_table* t = find_table(table);
    Py_ssize_t at = 0;
    PyObject *key, *value;
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char* name;
        if (!to_text(key, &name, "a keyword")) return false;
        const def_row* row = NULL;
        for (int k = 0; k < t->row_count && name != NULL; k++)
            if (strcmp(t->rows[k].name, name) == 0) row = &t->rows[k];
        if (row == NULL && name != NULL && is_word(skip, name)) continue;
        if (row == NULL) {
            PyErr_Format(PyExc_TypeError, "a %s has no argument '%s'", table,
                         name != NULL ? name : "None");
            return false;
        }
        if (value == Py_None && row->type != DEF_TEXT) continue;  // None: the default
        if (!set_field(value, row, def)) {
            name_argument(row);
            return false;
        }
    }
    return true;
}

// ---- spatial variation of snow ------------------------------------------------------------------

static const char* const quantities[FIRN_VARY_COUNT] = {"stiffness", "density", "hardening",
                                                        "compression", "stretch"};

// Reads factors by quantity: {"stiffness": 2.0}.
static bool to_factors(PyObject* value, firn_real* factor, const char* what, const char* skip)
{
    Py_ssize_t at = 0;
    PyObject *key, *item;
    while (PyDict_Next(value, &at, &key, &item)) {
        const char* name;
        if (!to_text(key, &name, what)) return false;
        int q = 0;
        while (q < FIRN_VARY_COUNT && strcmp(quantities[q], name) != 0) q++;
        if (q == FIRN_VARY_COUNT && is_word(skip, name)) continue;
        if (q == FIRN_VARY_COUNT) {
            PyErr_Format(PyExc_TypeError,
                         "%s has no key '%s'; quantities are stiffness, density, "
                         "hardening, compression, stretch",
                         what, name);
            return false;
        }
        factor[q] = (firn_real)PyFloat_AsDouble(item);
        if (PyErr_Occurred()) return false;
    }
    return true;
}

static bool real_item(PyObject* dict, const char* key, firn_real* out)
{
    PyObject* item = PyDict_GetItemString(dict, key);
    if (item == NULL) return true;
    *out = (firn_real)PyFloat_AsDouble(item);
    return !PyErr_Occurred();
}

static bool int_item(PyObject* dict, const char* key, int32_t* out)
{
    PyObject* item = PyDict_GetItemString(dict, key);
    if (item == NULL) return true;
    *out = (int32_t)PyLong_AsLong(item);
    return !PyErr_Occurred();
}

static bool is_dict(PyObject* value, const char* what)
{
    if (PyDict_Check(value)) return true;
    PyErr_Format(PyExc_TypeError, "%s must be a dictionary, not %R", what, value);
    return false;
}

// {"stiffness": {"noise_scale": 0.1, "noise_amount": 0.5}}
static bool fill_vary(PyObject* value, firn_factor_def* vary)
{
    if (!is_dict(value, "vary")) return false;
    for (int q = 0; q < FIRN_VARY_COUNT; q++) {
        PyObject* item = PyDict_GetItemString(value, quantities[q]);
        if (item == NULL) continue;
        firn_factor_def* f = &vary[q];
        if (!is_dict(item, "a factor of vary") ||
            !real_item(item, "noise_scale", &f->noise_scale) ||
            !real_item(item, "noise_amount", &f->noise_amount) ||
            !int_item(item, "noise_octaves", &f->noise_octaves) ||
            !int_item(item, "noise_seed", &f->noise_seed) ||
            !to_text(PyDict_GetItemString(item, "texture_file"), &f->texture_file,
                     "texture_file") ||
            !to_text(PyDict_GetItemString(item, "texture_grid"), &f->texture_grid,
                     "texture_grid") ||
            !real_item(item, "texture_low", &f->texture_low) ||
            !real_item(item, "texture_high", &f->texture_high))
            return false;
    }
    return true;
}

static bool fill_layers(PyObject* value, firn_snow_def* def, firn_layer_def** out_layers)
{
    const Py_ssize_t count = PySequence_Size(value);
    if (count < 0) return false;
    *out_layers = PyMem_Malloc((size_t)(count + 1) * sizeof **out_layers);
    if (*out_layers == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t k = 0; k < count; k++) {
        firn_layer_def* layer = &(*out_layers)[k];
        *layer = firn_default_layer_def();
        PyObject* item = PySequence_GetItem(value, k);
        const bool good = item != NULL && is_dict(item, "a layer") &&
                          real_item(item, "from", &layer->from) &&
                          real_item(item, "to", &layer->to) &&
                          to_factors(item, layer->factor, "a layer", "from to");
        Py_XDECREF(item);
        if (!good) return false;
    }
    def->layers = *out_layers;
    def->layer_count = (int32_t)count;
    return true;
}

bool def_fill_variation(PyObject* dict, firn_snow_def* def, firn_layer_def** out_layers)
{
    PyObject* vary = PyDict_GetItemString(dict, "vary");
    PyObject* shell = PyDict_GetItemString(dict, "shell");
    PyObject* layers = PyDict_GetItemString(dict, "layers");
    *out_layers = NULL;
    if (vary != NULL && vary != Py_None && !fill_vary(vary, def->vary)) return false;
    if (shell != NULL && shell != Py_None) {
        if (!is_dict(shell, "shell") || !real_item(shell, "thickness", &def->shell.thickness) ||
            !to_factors(shell, def->shell.factor, "shell", "thickness linear"))
            return false;
        PyObject* linear = PyDict_GetItemString(shell, "linear");
        const int truth = linear != NULL ? PyObject_IsTrue(linear) : 0;
        if (truth < 0) return false;
        def->shell.linear = truth > 0;
    }
    return layers == NULL || layers == Py_None || fill_layers(layers, def, out_layers);
}

// ---- the tables as a dictionary -----------------------------------------------------------------

static PyObject* default_of(const def_row* row, const char* def)
{
    const void* at = def + row->offset;
    const char* text;
    switch (row->type) {
    case DEF_REAL: return PyFloat_FromDouble((double)*(const firn_real*)at);
    case DEF_DOUBLE: return PyFloat_FromDouble(*(const double*)at);
    case DEF_INT: return PyLong_FromLong(*(const int*)at);
    case DEF_INT64: return PyLong_FromLongLong(*(const int64_t*)at);
    case DEF_UINT64: return PyLong_FromUnsignedLongLong(*(const uint64_t*)at);
    case DEF_BOOL: return PyBool_FromLong(*(const bool*)at);
    case DEF_VEC3: return from_vec3(*(const firn_vec3*)at);
    case DEF_DOUBLE3: return from_doubles(at, 3);
    case DEF_QUAT: return from_quat(*(const firn_quat*)at);
    case DEF_ALIGN: return PyUnicode_FromString("left");
    case DEF_TEXT: break;
    }
    text = *(const char* const*)at;
    if (text != NULL) return PyUnicode_FromString(text);
    Py_RETURN_NONE;
}

static PyObject* describe_table(const def_table* t)
{
    static const char* const types[] = {"float", "float", "int",  "int",  "int", "bool",
                                        "str",   "vec3",  "vec3", "quat", "str"};
    char* def = PyMem_Calloc(1, t->size);
    if (def == NULL) return PyErr_NoMemory();
    PyObject* list = PyList_New(0);
    t->init(def);
    for (int k = 0; list != NULL && k < t->row_count; k++) {
        const def_row* row = &t->rows[k];
        PyObject* value = default_of(row, def);
        PyObject* item = value == NULL ? NULL
                                       : Py_BuildValue("(sssNz)", row->name, types[row->type],
                                                       row->unit, value, row->help);
        append(&list, item);
    }
    PyMem_Free(def);
    return list;
}

PyObject* def_describe(PyObject* module, PyObject* none)
{
    (void)module;
    (void)none;
    PyObject* dict = PyDict_New();
    for (int k = 0; k < def_table_count && dict != NULL; k++)
        if (!put(dict, def_tables[k].name, describe_table(&def_tables[k]))) Py_CLEAR(dict);
    return dict;
}
