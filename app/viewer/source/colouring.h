// SPDX-License-Identifier: MIT
// What snow is coloured by, and the scale that goes with it. A scale follows the values outwards
// only: colours that crawl while nothing happens would mislead.
#pragma once
#include "viewer/source/source.h"

typedef struct view_colouring {
    char field[32];    // "": white
    char label[40];    // "density"
    double low, high;  // of the scale
    bool fixed;        // by the scene: it does not follow
    bool fresh;        // no snapshot with the field has been seen yet
} view_colouring;

// By a key '0'…'5'. False: the source has nothing of the kind; `out_label` says what it would be.
bool view_colouring_by_key(view_colouring* c, const view_source* source, int key,
                           const char** out_label);
// Why view_colouring_by_key refuses `key`, and what to do.
void view_colouring_explain(const view_source* source, int key, char* out, size_t size);
// By a field's name, as --colour-by has it; "": white.
void view_colouring_by_field(view_colouring* c, const view_source* source, const char* field);
// Takes the values of a snapshot in.
void view_colouring_follow(view_colouring* c, const view_snapshot* snapshot);
