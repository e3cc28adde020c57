// SPDX-License-Identifier: MIT
// Reading the tree of a scene file by the key tables.
#pragma once
#include "scene/parse/document.h"
#include "scene/parse/keys.h"

typedef struct firn_scene_reader {
    firn_doc* doc;
    firn_scene_data* scene;
    const firn_scene_solver* solvers;
    size_t solver_count;
    const char* folder;  // of the scene file, absolute; null: paths stay as they are
    bool partial;        // keys that are missing keep their value (firn_scene_assign)
    bool dry;            // only check for errors, build nothing large (variants not selected)
    bool out_of_memory;
    uint64_t unsure_sets;  // bit of each level set whose mesh says too little of what is inside
} firn_scene_reader;

// Reads a map into `item` by a table; the block's own defaults are already there. Unknown and
// missing keys, wrong types, units and ranges become diagnostics. `at` is handed to the block's
// finish. `what` names the block in messages ("sphere", "snow"). False after an error.
bool firn_read_block(firn_scene_reader* reader, const firn_key_block* block, const char* what,
                     firn_doc_node* node, void* item, void* at);
// Reads one value by its key. False after an error; the field is unchanged.
bool firn_read_value(firn_scene_reader* reader, const firn_key* key, firn_doc_node* node,
                     void* item);
// Scalars and small lists of them (keys_scalar.c); the other types come back to firn_read_value.
bool firn_read_number(firn_scene_reader* reader, const firn_key* key, const firn_doc_node* node,
                      double* out_value);
bool firn_read_scalar(firn_scene_reader* reader, const firn_key* key, const firn_doc_node* node,
                      void* field);
// A new struct for `block` with its defaults; released and freed by firn_item_destroy.
void* firn_item_create(firn_scene_reader* reader, const firn_key_block* block);
void firn_item_destroy(const firn_key_block* block, void* item);

// Shapes (scene/keys/shape_keys.c).
bool firn_read_shape(firn_scene_reader* reader, const firn_doc_node* node, firn_local* out_shape);
bool firn_read_shapes(firn_scene_reader* reader, const firn_key* key, const firn_doc_node* node,
                      void* list);

// Stores the locations of all keys for messages after parsing (locations.c). False: out of memory;
// locations stored so far remain.
bool firn_scene_keep_locations(firn_scene_data* scene, const firn_doc* doc);
// "snowball-drop" for ".../snowball-drop/scene.yaml" and for "snowball-drop.yaml". Owned by caller.
char* firn_scene_name_of(const char* path);

// ", did you mean 'x'?" into `text`; empty when no name is near.
void firn_hint(const char* word, const char* const* names, size_t count, char* text, size_t size);
// Reports a result of a lower layer at a node; FIRN_BROKEN_MEMORY sets out_of_memory.
bool firn_read_check(firn_scene_reader* reader, const firn_doc_node* node, firn_result result,
                     const firn_error* error);
