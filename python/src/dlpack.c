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

#define HOST 1  // kDLCPU
#define CUDA 2  // kDLCUDA
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
    if (h->inner != NULL) h->inner->deleter(h->inner);
    if (Py_IsInitialized()) {  // a consumer may let go after the interpreter has ended
        const PyGILState_STATE state = PyGILState_Ensure();
        field_guard((field_object*)h->field)->pins--;
        Py_DECREF(h->field);
        PyGILState_Release(state);
    }
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

// An array on the host.
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

// Fills the tensor of a new hold; on a device the library waits until the field is complete, so
// that the consumer's stream does not matter. `on_host`: the array of a field on a device is
// fetched to the host.
static bool describe(field_object* self, bool on_host, hold* h)
{
    firn_field_view view;
    if (!self->of_sim || on_host) {
        if (!field_find(self, &view)) return false;
        h->old.tensor = tensor_of(&view, h->shape);
        return true;
    }
    sim_object* sim = (sim_object*)self->owner;
    if (sim_open(sim) == NULL || !guard_read(&sim->guard)) return false;
    guard_release(&sim->guard);
    const firn_result r =
        firn_sim_dlpack(sim->sim, self->name, (struct DLManagedTensor**)&h->inner);
    guard_acquire(&sim->guard);
    guard_end(&sim->guard);
    if (r == FIRN_OK) h->old.tensor = h->inner->tensor;
    return !failed(r);
}

static bool two_numbers(PyObject* value, int* first, int* second, const char* name)
{
    if (PyTuple_Check(value)) return PyArg_ParseTuple(value, "ii", first, second) != 0;
    PyErr_Format(PyExc_TypeError, "%s must be a tuple of two numbers, not %R", name, value);
    return false;
}

static bool wants_versioned(PyObject* max_version, bool* out)
{
    int major = 0, minor = 0;
    *out = false;
    if (max_version == NULL || max_version == Py_None) return true;
    if (!two_numbers(max_version, &major, &minor, "max_version")) return false;
    *out = major >= 1;
    return true;
}

// Where the field lies: (type, number) of DLPack. False: an exception is set.
static bool find_device(field_object* self, int* type, int* number)
{
    firn_device_field field = {.device = FIRN_DEVICE_HOST};
    if (self->of_sim) {
        sim_object* sim = (sim_object*)self->owner;
        if (sim_open(sim) == NULL || !guard_read(&sim->guard)) return false;
        const firn_result r = firn_sim_device_field(sim->sim, self->name, &field);
        guard_end(&sim->guard);
        if (failed(r)) return false;
    }
    *type = field.device == FIRN_DEVICE_HOST ? HOST : CUDA;
    *number = field.device == FIRN_DEVICE_HOST ? 0 : field.device;
    return true;
}

// `dl_device` and `copy` of the consumer: fields are given where they lie; those on a device also
// on the host, unless it forbids copies. False: an exception is set.
static bool choose_device(field_object* self, PyObject* wanted, PyObject* copy, bool* out_on_host)
{
    int type, number, wanted_type, wanted_number;
    const int copies = copy != NULL && copy != Py_None ? PyObject_IsTrue(copy) : -1;
    *out_on_host = false;
    if (PyErr_Occurred()) return false;
    if (copies == 1) {
        PyErr_SetString(PyExc_BufferError, "fields are given without a copy: use field.copy()");
        return false;
    }
    if (wanted == NULL || wanted == Py_None) return true;
    if (!two_numbers(wanted, &wanted_type, &wanted_number, "dl_device") ||
        !find_device(self, &type, &number))
        return false;
    if (wanted_type == type && wanted_number == number) return true;
    *out_on_host = wanted_type == HOST && copies != 0;
    if (!*out_on_host)
        PyErr_Format(PyExc_BufferError,
                     "the field is on device (%d, %d) of DLPack, not on (%d, %d)%s", type, number,
                     wanted_type, wanted_number, copies == 0 ? ", and must not be copied" : "");
    return *out_on_host;
}

PyObject* field_dlpack(PyObject* object, PyObject* args, PyObject* keywords)
{
    static char* names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    field_object* self = (field_object*)object;
    PyObject *stream = NULL, *max_version = NULL, *device = NULL, *copy = NULL;
    bool versioned, on_host;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO", names, &stream, &max_version,
                                     &device, &copy) ||
        !wants_versioned(max_version, &versioned) || !choose_device(self, device, copy, &on_host))
        return NULL;
    hold* h = calloc(1, sizeof *h);
    if (h == NULL) return PyErr_NoMemory();
    if (!describe(self, on_host, h)) {
        free(h);
        return NULL;
    }
    h->field = Py_NewRef(object);
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
    int type, number;
    if (!find_device((field_object*)object, &type, &number)) return NULL;
    return Py_BuildValue("(ii)", type, number);
}
