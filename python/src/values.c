// SPDX-License-Identifier: MIT
// Values of Python and of firn: vectors, rotations, strings, ids, arrays.
#include "firnpy.h"

// Reads `count` numbers of a sequence; an array of numpy is one.
static bool to_numbers(PyObject* value, double* out, int count, const char* name)
{
    if (!PySequence_Check(value) || PyUnicode_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s must be a sequence of %d numbers, not %R", name, count,
                     value);
        return false;
    }
    const Py_ssize_t length = PySequence_Size(value);
    if (length < 0) return false;
    if (length != count) {
        PyErr_Format(PyExc_ValueError, "%s must have %d numbers, not %zd", name, count, length);
        return false;
    }
    for (int k = 0; k < count; k++) {
        PyObject* item = PySequence_GetItem(value, k);
        if (item == NULL) return false;
        out[k] = PyFloat_AsDouble(item);
        Py_DECREF(item);
        if (out[k] == -1 && PyErr_Occurred()) return false;
    }
    return true;
}

bool to_double3(PyObject* value, double* out, const char* name)
{
    return to_numbers(value, out, 3, name);
}

bool to_vec3(PyObject* value, firn_vec3* out, const char* name)
{
    double v[3];
    if (!to_numbers(value, v, 3, name)) return false;
    *out = (firn_vec3){(firn_real)v[0], (firn_real)v[1], (firn_real)v[2]};
    return true;
}

bool to_quat(PyObject* value, firn_quat* out, const char* name)
{
    double q[4];
    if (!to_numbers(value, q, 4, name)) return false;
    *out = (firn_quat){(firn_real)q[0], (firn_real)q[1], (firn_real)q[2], (firn_real)q[3]};
    return true;
}

PyObject* from_doubles(const double* v, int count)
{
    PyObject* tuple = PyTuple_New(count);
    for (int k = 0; k < count && tuple != NULL; k++) {
        PyObject* item = PyFloat_FromDouble(v[k]);
        if (item == NULL || PyTuple_SetItem(tuple, k, item) != 0) {
            Py_DECREF(tuple);
            return NULL;
        }
    }
    return tuple;
}

PyObject* from_vec3(firn_vec3 v)
{
    const double d[3] = {(double)v.x, (double)v.y, (double)v.z};
    return from_doubles(d, 3);
}

PyObject* from_quat(firn_quat q)
{
    const double d[4] = {(double)q.w, (double)q.x, (double)q.y, (double)q.z};
    return from_doubles(d, 4);
}

PyObject* from_bytes(const void* data, size_t size)
{
    return PyByteArray_FromStringAndSize(data, (Py_ssize_t)size);
}

bool put(PyObject* dict, const char* key, PyObject* value)
{
    if (value == NULL) return false;
    const int r = PyDict_SetItemString(dict, key, value);
    Py_DECREF(value);
    return r == 0;
}

void append(PyObject** list, PyObject* item)
{
    if (item == NULL || PyList_Append(*list, item) != 0) Py_CLEAR(*list);
    Py_XDECREF(item);
}

bool to_text(PyObject* value, const char** out, const char* name)
{
    *out = NULL;
    if (value == NULL || value == Py_None) return true;
    if (!PyUnicode_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s must be a string, not %R", name, value);
        return false;
    }
    Py_ssize_t length;
    *out = PyUnicode_AsUTF8AndSize(value, &length);
    if (*out == NULL) return false;
    for (Py_ssize_t k = 0; k < length; k++)
        if ((*out)[k] == '\0') {
            PyErr_Format(PyExc_ValueError, "%s contains a null character", name);
            return false;
        }
    return true;
}

PyObject* from_id(uint32_t slot1, uint32_t owner)
{
    return Py_BuildValue("(II)", (unsigned)slot1, (unsigned)owner);
}

bool to_id(PyObject* value, uint32_t* out_slot1, uint32_t* out_owner, const char* what)
{
    *out_slot1 = *out_owner = 0;
    if (value == NULL || value == Py_None) return true;
    unsigned slot1, owner;
    if (!PyTuple_Check(value) || !PyArg_ParseTuple(value, "II", &slot1, &owner)) {
        PyErr_Format(PyExc_TypeError, "not the id of a %s: %R", what, value);
        return false;
    }
    *out_slot1 = slot1;
    *out_owner = owner;
    return true;
}
