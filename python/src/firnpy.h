// SPDX-License-Identifier: MIT
// The extension module firn._firn: what its files share. It uses the limited API of CPython 3.11,
// so that one binary serves 3.11 and later, and include/firn only.
//
// Threads. A simulation, scene or replay is used by one thread at a time. The global interpreter
// lock (GIL) protects the members of these objects; while firn works, the GIL is released and the
// object's guard is `busy`, so that other threads are refused instead of meeting firn at work.
//
// Views. `pins` counts buffers of fields that Python holds. What would move or change the particles
// is refused while there are any, so a view never dangles.
#pragma once
#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>

#include "firn/firn.h"

// ---- guards: guard.c ----------------------------------------------------------------------------

typedef struct guard {
    const char* what;      // "simulation"
    int busy;              // calls of firn in progress
    unsigned long thread;  // that they run on
    bool callback;         // a callback runs between two steps: its thread may read
    bool in_callback;      // the same when the GIL was released: for `callback` afterwards
    int64_t pins;          // buffers of fields that are alive
    int64_t serial;        // counts what may move or change the particles
    PyThreadState* state;  // of the thread that released the GIL
} guard;

// Begins a call that reads; false: an exception is set.
bool guard_read(guard* g);
// Begins a call that changes the object: not from its own callbacks.
bool guard_write(guard* g);
// The same for a call that may move or change particles: not while there are views. `verb`: "step"
bool guard_move(guard* g, const char* verb);
void guard_end(guard* g);
// Between these two firn works without the GIL.
void guard_release(guard* g);
void guard_acquire(guard* g);

// ---- results and errors: errors.c ---------------------------------------------------------------

// Raises the exception of firn.errors that belongs to a result, with the sentence of the last call
// of this thread. Returns null.
PyObject* raise_result(firn_result result);
PyObject* raise_text(firn_result result, const char* text);
// The same with the messages of a scene.
PyObject* raise_scene(firn_result result, const firn_scene* scene);
// A memory error of Python, or the exception above: true if `result` is not FIRN_OK.
bool failed(firn_result result);

// ---- values: values.c ---------------------------------------------------------------------------

bool to_vec3(PyObject* value, firn_vec3* out, const char* name);
bool to_double3(PyObject* value, double* out, const char* name);
bool to_quat(PyObject* value, firn_quat* out, const char* name);
PyObject* from_vec3(firn_vec3 v);
PyObject* from_doubles(const double* v, int count);
PyObject* from_quat(firn_quat q);
// A bytearray with a copy of the bytes.
PyObject* from_bytes(const void* data, size_t size);
// Adds an item to a dictionary and gives up the reference; false: an exception is set.
bool put(PyObject* dict, const char* key, PyObject* value);
// Appends an item to a list and gives up the reference; null: an exception is set, the list freed.
void append(PyObject** list, PyObject* item);
// UTF-8 of a string or a path; null for None. Borrowed from `value`. False: an exception is set.
bool to_text(PyObject* value, const char** out, const char* name);

// ---- definitions from keyword arguments: defs.c -------------------------------------------------

typedef enum def_type {
    DEF_REAL,
    DEF_DOUBLE,
    DEF_INT,
    DEF_INT64,
    DEF_UINT64,
    DEF_BOOL,
    DEF_TEXT,
    DEF_VEC3,
    DEF_DOUBLE3,
    DEF_QUAT,
    DEF_ALIGN
} def_type;

typedef struct def_row {
    const char* name;
    def_type type;
    size_t offset;
    const char* unit;
    const char* help;
} def_row;

typedef struct def_table {
    const char* name;  // "snow"
    const def_row* rows;
    int row_count;
    void (*init)(void* def);
    size_t size;
} def_table;

extern const def_table def_tables[];
extern const int def_table_count;
// Fills a definition, which the caller has initialised, from a dictionary; strings are borrowed
// from it. Items of `skip` (space-separated) are the caller's. False: an exception is set.
bool def_fill(const char* table, void* def, PyObject* dict, const char* skip);
PyObject* def_describe(PyObject* module, PyObject* none);
// The rest of a snow definition: `vary`, `shell`, `layers`. *out_layers: free with PyMem_Free.
bool def_fill_variation(PyObject* dict, firn_snow_def* def, firn_layer_def** out_layers);

// ---- objects ------------------------------------------------------------------------------------

typedef struct scene_object {
    PyObject ob_base;
    firn_scene* scene;  // owned
    guard guard;
} scene_object;

typedef struct sim_object {
    PyObject ob_base;
    firn_sim* sim;  // owned; null: closed
    guard guard;
    PyObject* log;       // called with (level, id, text); or null
    PyObject* progress;  // called with a dictionary; or null
    bool has_error;      // a callback raised, or a signal came: the exception is kept here
    PyObject *error_type, *error, *error_trace;
    double checked;  // [s] when signals were last looked for
    double reported;
    double interval;  // [s] between two calls of `progress` during steps
    bool unordered;   // edited since the last step: hash and save may change the order
} sim_object;

typedef struct replay_object {
    PyObject ob_base;
    firn_replay* replay;  // owned; null: closed
    guard guard;
} replay_object;

typedef struct module_state {
    PyObject *scene_type, *sim_type, *field_type, *replay_type, *heights_type;
} module_state;

module_state* state_of(PyObject* self);  // of an object of this module
extern PyType_Spec scene_spec, sim_spec, field_spec, replay_spec, heights_spec;
// Borrowed; null and an exception if it is closed.
firn_sim* sim_open(sim_object* self);
// Where `steps` shows the world: signals, progress. False: stop, an exception is kept.
bool sim_between_steps(sim_object* self, const firn_progress* progress);
void sim_raise_kept(sim_object* self);
void sim_log(void* user, firn_log_level level, const char* id, const char* text);
void sim_progress(void* user, const firn_progress* progress);
double now_seconds(void);
PyObject* progress_dict(const firn_progress* p);

PyObject* field_new(PyObject* owner, PyObject* type, const firn_field_view* view);
// Names of the fields of a simulation or a replay; `at` gets the k-th field of `owner`.
PyObject* field_names(const void* owner, int count,
                      firn_result (*at)(const void* owner, int k, firn_field_view* out_view));
PyObject* field_dlpack(PyObject* self, PyObject* args, PyObject* keywords);
PyObject* field_dlpack_device(PyObject* self, PyObject* none);
typedef struct field_object {
    PyObject ob_base;
    PyObject* owner;  // of sim_type or replay_type
    char name[64];
    const char* unit;
    firn_field_type type;
    bool of_sim;
    bool interface_taken;  // by __array_interface__, or of a frame: pinned as long as this lives
} field_object;
guard* field_guard(const field_object* self);
// Finds the array now. False: an exception is set.
bool field_find(field_object* self, firn_field_view* out_view);

// What height fields are of: one of the two.
typedef struct height_source {
    firn_sim* sim;
    firn_replay* replay;
    guard* guard;
} height_source;
PyObject* heights_of(const height_source* source, PyObject* keys);  // heights.c
typedef struct heights_object {
    PyObject ob_base;
    firn_heights* heights;  // owned
    firn_height_def def;
    guard guard;
} heights_object;

// Ids as tuples (slot, owner), which Python passes back.
PyObject* from_id(uint32_t slot1, uint32_t owner);
bool to_id(PyObject* value, uint32_t* out_slot1, uint32_t* out_owner, const char* what);

// Methods, each in the file of its idea.
PyObject* scene_shape(PyObject* self, PyObject* args);         // scene_shape.c
PyObject* scene_add(PyObject* self, PyObject* args);           // scene_add.c
PyObject* scene_gravity_keys(PyObject* self, PyObject* list);  // scene_add.c
// Fills the snow, collider or emitter definition of a dictionary; `shape` and `material` are ids.
bool snow_of(PyObject* dict, firn_snow_def* def, firn_layer_def** out_layers);
bool collider_of(PyObject* dict, firn_collider_def* def, firn_collider_key** out_keys);
bool emitter_of(PyObject* dict, firn_emitter_def* def);
extern PyMethodDef sim_methods[];                    // sim_methods.c
PyObject* sim_step(PyObject* self, PyObject* args);  // sim_step.c
PyObject* sim_frame(PyObject* self, PyObject* args);
PyObject* sim_advance(PyObject* self, PyObject* args);
PyObject* sim_run(PyObject* self, PyObject* none);
PyObject* sim_cancel(PyObject* self, PyObject* none);
PyObject* sim_info(PyObject* self, PyObject* none);  // sim_read.c
PyObject* sim_hash(PyObject* self, PyObject* none);
PyObject* sim_save(PyObject* self, PyObject* none);
PyObject* sim_field(PyObject* self, PyObject* name);
PyObject* sim_fields(PyObject* self, PyObject* none);
PyObject* sim_view(PyObject* self, PyObject* none);
PyObject* sim_picture(PyObject* self, PyObject* args);
PyObject* sim_serial(PyObject* self, PyObject* none);
PyObject* sim_close(PyObject* self, PyObject* none);  // sim.c
PyObject* sim_write(PyObject* self, PyObject* args);  // sim_edit.c
PyObject* sim_add_snow(PyObject* self, PyObject* args);
PyObject* sim_snow_particles(PyObject* self, PyObject* id);
PyObject* sim_remove_snow(PyObject* self, PyObject* args);
PyObject* sim_remove_particles(PyObject* self, PyObject* args);

PyObject* sim_restore(PyObject* self, PyObject* args);
PyObject* sim_bodies(PyObject* self, PyObject* none);  // sim_colliders.c
PyObject* sim_body(PyObject* self, PyObject* id);
PyObject* sim_body_move(PyObject* self, PyObject* args);
PyObject* sim_body_release(PyObject* self, PyObject* id);
PyObject* sim_body_load(PyObject* self, PyObject* id);
PyObject* sim_body_mesh(PyObject* self, PyObject* id);
PyObject* sim_body_push(PyObject* self, PyObject* args);
PyObject* sim_add_collider(PyObject* self, PyObject* args);  // sim_world.c
PyObject* sim_remove_collider(PyObject* self, PyObject* id);
PyObject* sim_add_emitter(PyObject* self, PyObject* args);
PyObject* sim_remove_emitter(PyObject* self, PyObject* id);
PyObject* sim_add_joint(PyObject* self, PyObject* keys);  // joints.c
PyObject* sim_remove_joint(PyObject* self, PyObject* id);
PyObject* sim_joint(PyObject* self, PyObject* id);
bool joint_of(PyObject* dict, firn_joint_def* def);
PyObject* sim_world(PyObject* self, PyObject* none);
PyObject* sim_set_world(PyObject* self, PyObject* args);
PyObject* sim_rays(PyObject* self, PyObject* args);  // sim_query.c
PyObject* sim_heights(PyObject* self, PyObject* keys);
PyObject* sim_height_at(PyObject* self, PyObject* args);
PyObject* sim_amount(PyObject* self, PyObject* args);
PyObject* sim_surface(PyObject* self, PyObject* keys);
PyObject* mesh_dict(const firn_body_mesh* mesh);
PyObject* body_dict(const firn_body_info* info);
PyObject* view_dict(const firn_view_info* view);
extern PyMethodDef module_functions[];                 // module.c
PyObject* run_info(PyObject* module, PyObject* args);  // run_tools.c
PyObject* run_describe(PyObject* module, PyObject* path);
PyObject* run_export(PyObject* module, PyObject* args);
PyObject* run_measure(PyObject* module, PyObject* args);
PyObject* run_render(PyObject* module, PyObject* args);  // run_tools.c
PyObject* run_film(PyObject* module, PyObject* args);
PyObject* know_version(PyObject* module, PyObject* none);  // knowledge.c
PyObject* know_solvers(PyObject* module, PyObject* none);
PyObject* know_presets(PyObject* module, PyObject* none);
PyObject* know_measured(PyObject* module, PyObject* none);
PyObject* know_devices(PyObject* module, PyObject* none);
PyObject* know_scenes(PyObject* module, PyObject* none);
PyObject* know_reference(PyObject* module, PyObject* which);
PyObject* know_field(PyObject* module, PyObject* name);
PyObject* know_suggest(PyObject* module, PyObject* args);
