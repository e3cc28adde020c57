// SPDX-License-Identifier: MIT
// Reads the fields of one particle.
#include "viewer/source/particle.h"

#include <stdio.h>

// Row-major values of element `p`; returns their number.
static int read_values(const firn_field_view* view, int64_t p, double out[9])
{
    const firn_vec3* vec = view->data;
    const firn_mat3* mat = view->data;
    switch (view->type) {
    case FIRN_FIELD_REAL: out[0] = (double)((const firn_real*)view->data)[p]; return 1;
    case FIRN_FIELD_U8: out[0] = ((const uint8_t*)view->data)[p]; return 1;
    case FIRN_FIELD_U32: out[0] = ((const uint32_t*)view->data)[p]; return 1;
    case FIRN_FIELD_VEC3:
        out[0] = (double)vec[p].x;
        out[1] = (double)vec[p].y;
        out[2] = (double)vec[p].z;
        return 3;
    case FIRN_FIELD_MAT3:
        for (int k = 0; k < 9; k++) out[k] = (double)mat[p].m[k / 3][k % 3];
        return 9;
    }
    return 0;
}

static int64_t find(const view_reader* reader, int64_t id)
{
    firn_field_view view;
    if (view_read_field(reader, "id", &view) != FIRN_OK || view.type != FIRN_FIELD_U32) return -1;
    const uint32_t* ids = view.data;
    for (int64_t p = 0; p < view.count; p++)
        if (ids[p] == id) return p;
    return -1;
}

void view_particle_read(view_particle* out, const view_reader* reader, int64_t id)
{
    out->found = false;
    out->id = id;
    out->field_count = 0;
    if (id < 0) return;
    out->index = find(reader, id);
    if (out->index < 0) return;
    out->found = true;
    for (int k = 0; k < view_read_field_count(reader); k++) {
        firn_field_view view;
        if (out->field_count == VIEW_PARTICLE_FIELDS) return;
        if (view_read_field_at(reader, k, &view) != FIRN_OK || view.count <= out->index) continue;
        view_field_value* v = &out->fields[out->field_count++];
        snprintf(v->name, sizeof v->name, "%s", view.name);
        snprintf(v->unit, sizeof v->unit, "%s", view.unit ? view.unit : "");
        v->count = read_values(&view, out->index, v->values);
    }
}
