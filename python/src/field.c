// SPDX-License-Identifier: MIT
// The type Field: a particle field as it is now, without a copy. A Field is a name, not an array:
// each consumer (numpy.asarray, memoryview, DLPack) takes the array of the current state and pins
// the simulation or frame until it lets go of it.
#include <string.h>

#include "firnpy.h"

typedef struct layout {
    const char* format;  // of the struct module
    const char* kind;    // of __array_interface__, without byte order
    int item;            // [bytes]
    int dimensions;      // 1: [n], 2: [n][3], 3: [n][3][3]
} layout;

static layout layout_of(firn_field_type type)
{
    const bool wide = sizeof(firn_real) == 8;
    layout l = {wide ? "d" : "f", wide ? "f8" : "f4", (int)sizeof(firn_real), 1};
    if (type == FIRN_FIELD_VEC3) l.dimensions = 2;
    if (type == FIRN_FIELD_MAT3) l.dimensions = 3;
    if (type == FIRN_FIELD_U8) l = (layout){"B", "u1", 1, 1};
    if (type == FIRN_FIELD_U32) l = (layout){"I", "u4", 4, 1};
    return l;
}

PyObject* field_new(PyObject* owner, PyObject* type, const firn_field_view* view)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot((PyTypeObject*)type, Py_tp_alloc);
    field_object* self = (field_object*)allocate((PyTypeObject*)type, 0);
    if (self == NULL) return NULL;
    Py_INCREF(owner);
    self->owner = owner;
    self->of_sim = Py_TYPE(owner) == (PyTypeObject*)state_of(owner)->sim_type;
    self->unit = view->unit;
    self->type = view->type;
    strncpy(self->name, view->name, sizeof self->name - 1);
    if (!self->of_sim) {  // another frame is read into another replay
        self->interface_taken = true;
        field_guard(self)->pins++;
    }
    return (PyObject*)self;
}

PyObject* field_names(const void* owner, int count,
                      firn_result (*at)(const void* owner, int k, firn_field_view* out_view))
{
    PyObject* list = PyList_New(0);
    for (int k = 0; k < count && list != NULL; k++) {
        firn_field_view view;
        const firn_result r = at(owner, k, &view);
        append(&list, failed(r) ? NULL : PyUnicode_FromString(view.name));
    }
    return list;
}

guard* field_guard(const field_object* self)
{
    return self->of_sim ? &((sim_object*)self->owner)->guard
                        : &((replay_object*)self->owner)->guard;
}

bool field_find(field_object* self, firn_field_view* out_view)
{
    guard* g = field_guard(self);
    firn_result r = FIRN_OK;
    if (self->of_sim && sim_open((sim_object*)self->owner) == NULL) return false;
    if (!self->of_sim && ((replay_object*)self->owner)->replay == NULL) {
        PyErr_SetString(PyExc_ValueError, "the frame of this field is closed");
        return false;
    }
    if (!guard_read(g)) return false;
    guard_release(g);  // a field on a GPU is fetched
    r = self->of_sim
            ? firn_sim_field(((sim_object*)self->owner)->sim, self->name, out_view)
            : firn_replay_field(((replay_object*)self->owner)->replay, self->name, out_view);
    guard_acquire(g);
    guard_end(g);
    return !failed(r);
}

// ---- buffer protocol ----------------------------------------------------------------------------

static int get_buffer(PyObject* object, Py_buffer* view, int flags)
{
    static char nothing[8];
    field_object* self = (field_object*)object;
    firn_field_view field;
    view->obj = NULL;
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError,
                        "fields are read-only: write with `with sim.edit(name) as array:`");
        return -1;
    }
    const layout l = layout_of(self->type);
    const bool only_by_columns = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS &&
                                 (flags & PyBUF_C_CONTIGUOUS) != PyBUF_C_CONTIGUOUS;
    if (only_by_columns && l.dimensions > 1) {
        PyErr_SetString(PyExc_BufferError, "fields are stored row by row (C order)");
        return -1;
    }
    if (!field_find(self, &field)) return -1;
    Py_ssize_t* sizes = PyMem_Malloc(6 * sizeof *sizes);
    if (sizes == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    Py_ssize_t bytes = l.item;
    for (int d = l.dimensions - 1; d >= 0; d--) {  // shape, then strides
        sizes[d] = d == 0 ? field.count : 3;
        sizes[3 + d] = bytes;
        bytes *= sizes[d];
    }
    *view = (Py_buffer){.buf = field.data != NULL ? (void*)field.data : nothing,
                        .len = bytes,
                        .itemsize = l.item,
                        .readonly = 1,
                        .ndim = l.dimensions,
                        .format = (flags & PyBUF_FORMAT) ? (char*)l.format : NULL,
                        .shape = (flags & PyBUF_ND) ? sizes : NULL,
                        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? sizes + 3 : NULL,
                        .internal = sizes};
    if (view->shape == NULL) view->ndim = 1;
    Py_INCREF(object);
    view->obj = object;
    field_guard(self)->pins++;
    return 0;
}

static void release_buffer(PyObject* object, Py_buffer* view)
{
    field_guard((field_object*)object)->pins--;
    PyMem_Free(view->internal);
}

// ---- attributes ---------------------------------------------------------------------------------

static PyObject* shape_of(PyObject* object, void* closure)
{
    (void)closure;
    firn_field_view view;
    if (!field_find((field_object*)object, &view)) return NULL;
    const int dimensions = layout_of(view.type).dimensions;
    if (dimensions == 1) return Py_BuildValue("(i)", (int)view.count);
    if (dimensions == 2) return Py_BuildValue("(ii)", (int)view.count, 3);
    return Py_BuildValue("(iii)", (int)view.count, 3, 3);
}

static PyObject* name_of(PyObject* object, void* closure)
{
    (void)closure;
    return PyUnicode_FromString(((field_object*)object)->name);
}

static PyObject* unit_of(PyObject* object, void* closure)
{
    (void)closure;
    return PyUnicode_FromString(((field_object*)object)->unit);
}

static PyObject* dtype_of(PyObject* object, void* closure)
{
    (void)closure;
    const layout l = layout_of(((field_object*)object)->type);
    return PyUnicode_FromFormat("%s%s", l.item == 1 ? "|" : "<", l.kind);
}

static PyObject* help_of(PyObject* object, void* closure)
{
    (void)closure;
    const firn_field_info* info = firn_field_find(((field_object*)object)->name);
    return PyUnicode_FromString(info != NULL ? info->help : "");
}

// The consumer keeps this object, and nothing tells when it has done with the memory: from here on
// the field is pinned as long as it lives.
static PyObject* interface_of(PyObject* object, void* closure)
{
    static char nothing[8];
    field_object* self = (field_object*)object;
    firn_field_view view;
    if (!field_find(self, &view)) return NULL;
    PyObject *shape = shape_of(object, closure), *type = dtype_of(object, closure), *dict = NULL;
    if (shape != NULL && type != NULL)
        dict = Py_BuildValue("{sOsOs(KO)sOsi}", "shape", shape, "typestr", type, "data",
                             (unsigned long long)(uintptr_t)(view.data ? view.data : nothing),
                             Py_True, "strides", Py_None, "version", 3);
    Py_XDECREF(shape);
    Py_XDECREF(type);
    if (dict != NULL && !self->interface_taken) {
        self->interface_taken = true;
        field_guard(self)->pins++;
    }
    return dict;
}

static PyObject* copy(PyObject* object, PyObject* none)
{
    (void)none;
    PyObject* numpy = PyImport_ImportModule("numpy");
    if (numpy == NULL) return NULL;
    PyObject* array = PyObject_CallMethod(numpy, "array", "O", object);
    Py_DECREF(numpy);
    return array;
}

static PyObject* array_of(PyObject* object, void* closure)
{
    (void)closure;
    PyObject* numpy = PyImport_ImportModule("numpy");
    if (numpy == NULL) return NULL;
    PyObject* array = PyObject_CallMethod(numpy, "asarray", "O", object);
    Py_DECREF(numpy);
    return array;
}

static Py_ssize_t length(PyObject* object)
{
    firn_field_view view;
    return field_find((field_object*)object, &view) ? (Py_ssize_t)view.count : -1;
}

// sim["position"][3]: through an array of numpy, which is let go at once for single numbers.
static PyObject* subscript(PyObject* object, PyObject* key)
{
    PyObject* array = array_of(object, NULL);
    if (array == NULL) return NULL;
    PyObject* result = PyObject_GetItem(array, key);
    Py_DECREF(array);
    return result;
}

static PyObject* repr(PyObject* object)
{
    field_object* self = (field_object*)object;
    PyObject *shape = shape_of(object, NULL), *type = dtype_of(object, NULL), *text = NULL;
    if (shape == NULL) {  // closed
        PyErr_Clear();
        text = PyUnicode_FromFormat("<firn.Field %s, closed>", self->name);
    } else if (type != NULL) {
        text = PyUnicode_FromFormat("<firn.Field %s%s%s%s, shape %R, dtype %S>", self->name,
                                    self->unit[0] != '\0' ? " [" : "", self->unit,
                                    self->unit[0] != '\0' ? "]" : "", shape, type);
    }
    Py_XDECREF(shape);
    Py_XDECREF(type);
    return text;
}

// ---- the type -----------------------------------------------------------------------------------

static int visit_field(PyObject* object, visitproc visit, void* arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((field_object*)object)->owner);
    return 0;
}

static void field_dealloc(PyObject* object)
{
    field_object* self = (field_object*)object;
    PyTypeObject* type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    if (self->interface_taken) field_guard(self)->pins--;
    Py_XDECREF(self->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"copy", copy, METH_NOARGS,
     "copy() -> numpy.ndarray\n\nAn array of its own, which steps do not change."},
    {"__dlpack__", (PyCFunction)(void (*)(void))field_dlpack, METH_VARARGS | METH_KEYWORDS,
     "__dlpack__(*, stream: object = None, max_version: object = None, dl_device: object = None, "
     "copy: object = None) -> object\n\nThe array as a DLPack capsule, where it lies."},
    {"__dlpack_device__", field_dlpack_device, METH_NOARGS,
     "__dlpack_device__() -> tuple\n\n(1, 0): the host; (2, n): CUDA device n."},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef attributes[] = {
    {"name", name_of, NULL, "str: name of the field, \"position\"", NULL},
    {"unit", unit_of, NULL, "str: its unit, \"m\"; \"1\": a ratio; \"\": a number or name", NULL},
    {"help", help_of, NULL, "str: what it is, in one sentence", NULL},
    {"shape", shape_of, NULL, "tuple: (n,), (n, 3) or (n, 3, 3)", NULL},
    {"dtype", dtype_of, NULL, "str: \"<f4\", \"<u4\" or \"|u1\"; a double build has \"<f8\"", NULL},
    {"array", array_of, NULL,
     "numpy.ndarray: the values without a copy, read-only; steps are refused while it lives", NULL},
    {"__array_interface__", interface_of, NULL, "dict: for numpy and others", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_doc,
     "A field of all particles, as it is now: an array without a copy.\n\n"
     "numpy.asarray(field), field.array, memoryview(field) and DLPack give the simulation's own\n"
     "memory, read-only. While such a view is alive, what would change the particles raises\n"
     "BufferError; field.copy() is an array of your own."},
    {Py_tp_dealloc, field_dealloc},
    {Py_tp_traverse, visit_field},
    {Py_tp_repr, repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {Py_mp_subscript, subscript},
    {Py_mp_length, length},
    {Py_bf_getbuffer, get_buffer},
    {Py_bf_releasebuffer, release_buffer},
    {0, NULL},
};
PyType_Spec field_spec = {
    "firn.Field", sizeof(field_object), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
