// SPDX-License-Identifier: MIT
// The type Replay: one frame of a run on disk at a time. firn.Run opens as many as there are frames
// in use at once.
#include "firnpy.h"

static firn_replay* opened(replay_object* self)
{
    if (self->replay == NULL) PyErr_SetString(PyExc_ValueError, "the run is closed");
    return self->replay;
}

// Begins a call that reads: another thread may be reading a frame without the GIL.
static bool begin(replay_object* self)
{
    return opened(self) != NULL && guard_read(&self->guard);
}

static int replay_init(PyObject* object, PyObject* args, PyObject* keywords)
{
    (void)keywords;
    replay_object* self = (replay_object*)object;
    const char* folder;
    self->guard.what = "frame";
    if (!PyArg_ParseTuple(args, "s", &folder)) return -1;
    if (self->replay != NULL) {
        PyErr_SetString(PyExc_TypeError, "a replay is initialised once");
        return -1;
    }
    firn_error error = {FIRN_OK, ""};
    if (!guard_write(&self->guard)) return -1;
    guard_release(&self->guard);
    const firn_result r = firn_replay_open(folder, &self->replay, &error);
    guard_acquire(&self->guard);
    guard_end(&self->guard);
    if (r != FIRN_OK) raise_text(r, error.text);
    return r == FIRN_OK ? 0 : -1;
}

static void replay_dealloc(PyObject* object)
{
    PyTypeObject* type = Py_TYPE(object);
    firn_replay_close(((replay_object*)object)->replay);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyObject* replay_close(PyObject* object, PyObject* none)
{
    (void)none;
    replay_object* self = (replay_object*)object;
    if (!guard_move(&self->guard, "close")) return NULL;
    firn_replay_close(self->replay);
    self->replay = NULL;
    guard_end(&self->guard);
    Py_RETURN_NONE;
}

static PyObject* replay_frames(PyObject* object, PyObject* none)
{
    (void)none;
    replay_object* self = (replay_object*)object;
    const int64_t* frames;
    if (!begin(self)) return NULL;
    const int count = firn_replay_frames(self->replay, &frames);
    PyObject* list = PyList_New(0);
    for (int k = 0; k < count && list != NULL; k++) {
        PyObject* item = PyLong_FromLongLong(frames[k]);
        append(&list, item);
    }
    guard_end(&self->guard);
    return list;
}

static PyObject* replay_seek(PyObject* object, PyObject* args)
{
    replay_object* self = (replay_object*)object;
    long long frame;
    if (!PyArg_ParseTuple(args, "L", &frame) || opened(self) == NULL ||
        !guard_move(&self->guard, "read another frame"))
        return NULL;
    firn_error error = {FIRN_OK, ""};
    guard_release(&self->guard);
    const firn_result r = firn_replay_seek(self->replay, frame, &error);
    guard_acquire(&self->guard);
    guard_end(&self->guard);
    if (r != FIRN_OK) return raise_text(r, error.text);
    Py_RETURN_NONE;
}

// (frame, time, pins)
static PyObject* replay_now(PyObject* object, PyObject* none)
{
    (void)none;
    replay_object* self = (replay_object*)object;
    if (!begin(self)) return NULL;
    const int64_t frame = firn_replay_frame(self->replay);
    const double time = firn_replay_time(self->replay);
    guard_end(&self->guard);
    return Py_BuildValue("(LdL)", (long long)frame, time, (long long)self->guard.pins);
}

static PyObject* replay_field(PyObject* object, PyObject* name)
{
    replay_object* self = (replay_object*)object;
    const char* text;
    firn_field_view view;
    if (!to_text(name, &text, "the name of a field") || !begin(self)) return NULL;
    const firn_result r = firn_replay_field(self->replay, text, &view);
    guard_end(&self->guard);
    return failed(r) ? NULL : field_new(object, state_of(object)->field_type, &view);
}

static firn_result field_at(const void* owner, int k, firn_field_view* out_view)
{
    return firn_replay_field_at(owner, k, out_view);
}

static PyObject* replay_fields(PyObject* object, PyObject* none)
{
    (void)none;
    replay_object* self = (replay_object*)object;
    if (!begin(self)) return NULL;
    PyObject* list = field_names(self->replay, firn_replay_field_count(self->replay), field_at);
    guard_end(&self->guard);
    return list;
}

static PyObject* replay_view(PyObject* object, PyObject* none)
{
    (void)none;
    replay_object* self = (replay_object*)object;
    firn_view_info view;
    if (!begin(self)) return NULL;
    const firn_result r = firn_replay_view(self->replay, &view);
    guard_end(&self->guard);
    return failed(r) ? NULL : view_dict(&view);
}

static PyObject* replay_bodies(PyObject* object, PyObject* none)
{
    (void)none;
    replay_object* self = (replay_object*)object;
    if (!begin(self)) return NULL;
    const int count = firn_replay_body_count(self->replay);
    guard_end(&self->guard);
    return PyLong_FromLong(count);
}

static PyObject* replay_body(PyObject* object, PyObject* args)
{
    replay_object* self = (replay_object*)object;
    int index;
    firn_collider_id id;
    firn_body_info info;
    if (!PyArg_ParseTuple(args, "i", &index) || !begin(self)) return NULL;
    firn_result r = firn_replay_body_at(self->replay, index, &id);
    if (r == FIRN_OK) r = firn_replay_body(self->replay, id, &info);
    guard_end(&self->guard);
    return failed(r) ? NULL : body_dict(&info);
}

static PyObject* replay_body_mesh(PyObject* object, PyObject* args)
{
    replay_object* self = (replay_object*)object;
    int index;
    firn_collider_id id;
    firn_body_mesh mesh;
    if (!PyArg_ParseTuple(args, "i", &index) || !begin(self)) return NULL;
    firn_result r = firn_replay_body_at(self->replay, index, &id);
    if (r == FIRN_OK) r = firn_replay_body_mesh(self->replay, id, &mesh, NULL);
    guard_end(&self->guard);
    if (failed(r)) return NULL;
    PyObject* dict = mesh_dict(&mesh);
    firn_body_mesh_free(&mesh);
    return dict;
}

static PyObject* replay_heights(PyObject* object, PyObject* keys)
{
    replay_object* self = (replay_object*)object;
    const height_source source = {.replay = opened(self), .guard = &self->guard};
    return source.replay != NULL ? heights_of(&source, keys) : NULL;
}

static PyObject* replay_picture(PyObject* object, PyObject* args)
{
    replay_object* self = (replay_object*)object;
    int width, height;
    if (!PyArg_ParseTuple(args, "ii", &width, &height) || opened(self) == NULL) return NULL;
    if (width < 1 || height < 1 || width > 32768 || height > 32768)
        return raise_text(FIRN_REFUSED_ARGUMENT, "a picture has 1 to 32768 pixels per side");
    PyObject* pixels = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)width * height * 3);
    if (pixels == NULL || !guard_read(&self->guard)) {
        Py_XDECREF(pixels);
        return NULL;
    }
    firn_error error = {FIRN_OK, ""};
    uint8_t* to = (uint8_t*)PyByteArray_AsString(pixels);
    guard_release(&self->guard);
    const firn_result r = firn_replay_picture(self->replay, width, height, to, &error);
    guard_acquire(&self->guard);
    guard_end(&self->guard);
    if (r == FIRN_OK) return pixels;
    Py_DECREF(pixels);
    return raise_text(r, error.text);
}

static PyMethodDef methods[] = {
    {"close", replay_close, METH_NOARGS, "close() -> None\n\nFree the memory now."},
    {"frames", replay_frames, METH_NOARGS, "frames() -> list\n\nFrames that exist now."},
    {"seek", replay_seek, METH_VARARGS, "seek(frame: int) -> None\n\nRead a frame."},
    {"now", replay_now, METH_NOARGS, "now() -> tuple\n\n(frame, time, views)."},
    {"field", replay_field, METH_O, "field(name: str) -> Field\n\nA field of the frame."},
    {"fields", replay_fields, METH_NOARGS, "fields() -> list\n\nNames of its fields."},
    {"view", replay_view, METH_NOARGS, "view() -> dict\n\nCamera and settings for a viewer."},
    {"bodies", replay_bodies, METH_NOARGS, "bodies() -> int\n\nNumber of colliders."},
    {"body", replay_body, METH_VARARGS, "body(index: int) -> dict\n\nA collider."},
    {"body_mesh", replay_body_mesh, METH_VARARGS, "body_mesh(index: int) -> dict\n\nTriangles."},
    {"heights", replay_heights, METH_O, "heights(keys: dict) -> dict\n\nA height field."},
    {"picture", replay_picture, METH_VARARGS,
     "picture(width: int, height: int) -> bytearray\n\nA preview, [height][width][3]."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_doc, "Replay(folder)\n--\n\nA frame of a run on disk."},
    {Py_tp_init, replay_init},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, replay_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};
PyType_Spec replay_spec = {"firn._firn.Replay", sizeof(replay_object), 0, Py_TPFLAGS_DEFAULT,
                           slots};
