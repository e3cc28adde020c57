// SPDX-License-Identifier: MIT
// Fields as DLPack tensors, for PyTorch, CuPy, JAX and NumPy: where they lie, on the host or on a
// CUDA device. The tensor of the C library is wrapped, so that the simulation is pinned and alive
// until the consumer calls the deleter, on any thread.
#include <stdlib.h>

#include "firnpy.h"

// Structs of DLPack, which its header would declare. The layout is part of its specification.
typedef struct DLTensor {
    void* data;
    struct {
        int32_t type, id;
    } device;
    int32_t ndim;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } dtype;
    int64_t* shape;
    int64_t* strides;
    uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
    DLTensor tensor;
    void* context;
    void (*deleter)(struct DLManagedTensor*);
} DLManagedTensor;
typedef struct DLManagedTensorVersioned {
    struct {
        uint32_t major, minor;
    } version;
    void* context;
    void (*deleter)(struct DLManagedTensorVersioned*);
    uint64_t flags;
    DLTensor tensor;
} DLManagedTensorVersioned;

#define HOST 1
#define READ_ONLY 1
#define OLD "dltensor"
#define VERSIONED "dltensor_versioned"

// What a consumer holds: the field and, of a simulation, the library's tensor.
typedef struct hold {
    DLManagedTensor old;
    DLManagedTensorVersioned versioned;
    PyObject* field;         // owned, pinned
    DLManagedTensor* inner;  // owned; null: a frame's
    int64_t shape[3];
} hold;

static void let_go(hold* h)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    field_guard((field_object*)h->field)->pins--;
    Py_DECREF(h->field);
    PyGILState_Release(state);
    if (h->inner != NULL) h->inner->deleter(h->inner);
    free(h);
}

static void delete_old(DLManagedTensor* tensor)
{
    let_go(tensor->context);
}

static void delete_versioned(DLManagedTensorVersioned* tensor)
{
    let_go(tensor->context);
}

// A capsule that nobody took is renamed "used_…" by who did.
static void delete_capsule(PyObject* capsule)
{
    if (PyCapsule_IsValid(capsule, OLD)) {
        DLManagedTensor* t = PyCapsule_GetPointer(capsule, OLD);
        t->deleter(t);
    } else if (PyCapsule_IsValid(capsule, VERSIONED)) {
        DLManagedTensorVersioned* t = PyCapsule_GetPointer(capsule, VERSIONED);
        t->deleter(t);
    }
}

// The array of a frame of a run, which lies on the host.
static DLTensor tensor_of(const firn_field_view* view, int64_t* shape)
{
    DLTensor t = {.data = (void*)view->data, .device = {HOST, 0}, .ndim = 1, .shape = shape};
    shape[0] = view->count;
    shape[1] = shape[2] = 3;
    t.dtype.lanes = 1;
    t.dtype.code = view->type == FIRN_FIELD_U8 || view->type == FIRN_FIELD_U32 ? 1 : 2;
    t.dtype.bits = view->type == FIRN_FIELD_U8    ? 8
                   : view->type == FIRN_FIELD_U32 ? 32
                                                  : (uint8_t)(8 * sizeof(firn_real));
    if (view->type == FIRN_FIELD_VEC3) t.ndim = 2;
    if (view->type == FIRN_FIELD_MAT3) t.ndim = 3;
    return t;
}

// Fills the tensor of a new hold; on a device the library waits until the field is complete.
static bool describe(field_object* self, hold* h)
{
    firn_field_view view;
    if (!self->of_sim) {
        if (!field_find(self, &view)) return false;
        h->old.tensor = tensor_of(&view, h->shape);
        return true;
    }
    sim_object* sim = (sim_object*)self->owner;
    if (sim_open(sim) == NULL || !guard_read(&sim->guard)) return false;
    const firn_result r =
        firn_sim_dlpack(sim->sim, self->name, (struct DLManagedTensor**)&h->inner);
    guard_end(&sim->guard);
    if (r == FIRN_OK) h->old.tensor = h->inner->tensor;
    return !failed(r);
}

static bool wants_versioned(PyObject* max_version, bool* out)
{
    int major = 0, minor = 0;
    *out = false;
    if (max_version == NULL || max_version == Py_None) return true;
    if (!PyArg_ParseTuple(max_version, "ii", &major, &minor)) return false;
    *out = major >= 1;
    return true;
}

PyObject* field_dlpack(PyObject* object, PyObject* args, PyObject* keywords)
{
    static char* names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    field_object* self = (field_object*)object;
    PyObject *stream = NULL, *max_version = NULL, *device = NULL, *copy = NULL;
    bool versioned;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO", names, &stream, &max_version,
                                     &device, &copy) ||
        !wants_versioned(max_version, &versioned))
        return NULL;
    if (copy != NULL && copy != Py_None && PyObject_IsTrue(copy) > 0) {
        PyErr_SetString(PyExc_BufferError, "fields are given without a copy: use field.copy()");
        return NULL;
    }
    hold* h = calloc(1, sizeof *h);
    if (h == NULL) return PyErr_NoMemory();
    if (!describe(self, h)) {
        free(h);
        return NULL;
    }
    h->field = object;
    Py_INCREF(object);
    field_guard(self)->pins++;
    h->old.context = h->versioned.context = h;
    h->old.deleter = delete_old;
    h->versioned.deleter = delete_versioned;
    h->versioned.version.major = 1;
    h->versioned.flags = READ_ONLY;
    h->versioned.tensor = h->old.tensor;
    PyObject* capsule = versioned ? PyCapsule_New(&h->versioned, VERSIONED, delete_capsule)
                                  : PyCapsule_New(&h->old, OLD, delete_capsule);
    if (capsule == NULL) let_go(h);
    return capsule;
}

PyObject* field_dlpack_device(PyObject* object, PyObject* none)
{
    (void)none;
    field_object* self = (field_object*)object;
    firn_device_field field = {.device = FIRN_DEVICE_HOST};
    if (self->of_sim) {
        sim_object* sim = (sim_object*)self->owner;
        if (sim_open(sim) == NULL || !guard_read(&sim->guard)) return NULL;
        const firn_result r = firn_sim_device_field(sim->sim, self->name, &field);
        guard_end(&sim->guard);
        if (failed(r)) return NULL;
    }
    if (field.device == FIRN_DEVICE_HOST) return Py_BuildValue("(ii)", HOST, 0);
    return Py_BuildValue("(ii)", 2, field.device);
}
