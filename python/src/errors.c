// SPDX-License-Identifier: MIT
// Results of firn as exceptions. The classes are Python's (firn/_errors.py): they derive from
// ValueError, OSError, … where these say the same.
#include "firnpy.h"

static PyObject* raise_with(firn_result result, const char* text, const char* messages)
{
    PyObject* module = PyImport_ImportModule("firn._errors");
    if (module == NULL) return NULL;
    PyObject* error = PyObject_CallMethod(module, "_make", "iss", (int)result, text, messages);
    Py_DECREF(module);
    if (error == NULL) return NULL;
    PyErr_SetObject((PyObject*)Py_TYPE(error), error);
    Py_DECREF(error);
    return NULL;
}

PyObject* raise_text(firn_result result, const char* text)
{
    return raise_with(result, text, "");
}

PyObject* raise_result(firn_result result)
{
    return raise_with(result, firn_last_error(), "");
}

PyObject* raise_scene(firn_result result, const firn_scene* scene)
{
    const char* messages = firn_scene_messages(scene);
    return raise_with(result, messages[0] != '\0' ? messages : firn_last_error(), messages);
}

bool failed(firn_result result)
{
    if (result == FIRN_OK) return false;
    raise_result(result);
    return true;
}
