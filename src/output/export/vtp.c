// SPDX-License-Identifier: MIT
// VTK XML: .vtp (poly data, raw appended arrays, one vertex cell with all points) and the .pvd that
// makes a time series of them. Layout after VTK's file format manual.
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "output/export/points.h"
#include "output/export/z_up.h"
#include "output/run/stream.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "numbers are written as they lie in memory");

typedef enum array_kind { POINTS, VELOCITY, DENSITY, MASS, ID, CONNECTIVITY, OFFSETS } array_kind;

// In the order of the appended data. Components of 4 bytes each, all of them.
static const struct {
    const char *name, *type;
    int components;
} arrays[] = {
    [POINTS] = {"position", "Float32", 3},
    [VELOCITY] = {"velocity", "Float32", 3},
    [DENSITY] = {"density", "Float32", 1},
    [MASS] = {"mass", "Float32", 1},
    [ID] = {"id", "UInt32", 1},
    [CONNECTIVITY] = {"connectivity", "Int32", 1},
    [OFFSETS] = {"offsets", "Int32", 1},
};

static bool is_there(const firn_frame* f, array_kind kind)
{
    switch (kind) {
    case VELOCITY: return f->velocity != NULL;
    case DENSITY: return f->density != NULL;
    case MASS: return f->mass != NULL;
    case ID: return f->id != NULL;
    default: return true;
    }
}

static uint64_t rows_of(const firn_frame* f, array_kind kind)
{
    if (kind == OFFSETS) return f->count > 0 ? 1 : 0;
    return (uint64_t)f->count;
}

static uint64_t bytes_of(const firn_frame* f, array_kind kind)
{
    return rows_of(f, kind) * (uint64_t)arrays[kind].components * 4;
}

static void add_array(firn_text* t, const firn_frame* f, array_kind kind, uint64_t* offset)
{
    if (!is_there(f, kind)) return;
    firn_text_add(t,
                  "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                  "format=\"appended\" offset=\"%llu\"/>\n",
                  arrays[kind].type, arrays[kind].name, arrays[kind].components,
                  (unsigned long long)*offset);
    *offset += sizeof(uint64_t) + bytes_of(f, kind);  // each array is led by its length
}

static firn_result put_header(firn_stream* s, const firn_frame* f)
{
    firn_text t = {0};
    uint64_t offset = 0;
    firn_text_add(&t,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                  "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n"
                  "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                  "format=\"ascii\">%.17g</DataArray>\n</FieldData>\n",
                  f->info.time);
    firn_text_add(&t,
                  "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" "
                  "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<Points>\n",
                  (int)f->count, f->count > 0);
    add_array(&t, f, POINTS, &offset);
    firn_text_add(&t, "</Points>\n<PointData>\n");
    for (array_kind k = VELOCITY; k <= ID; k++) add_array(&t, f, k, &offset);
    firn_text_add(&t, "</PointData>\n<Verts>\n");
    add_array(&t, f, CONNECTIVITY, &offset);
    add_array(&t, f, OFFSETS, &offset);
    firn_text_add(&t, "</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    firn_result result = FIRN_OK;
    if (t.failed)
        result = firn_fail(s->error, FIRN_BROKEN_MEMORY, "no memory to write '%s'", s->path);
    else
        firn_stream_add(s, t.data, t.length);
    firn_text_destroy(&t);
    return result;
}

static void put_row(firn_stream* s, const firn_frame* f, array_kind kind, bool z_up, firn_local p)
{
    float v[3];
    int32_t number = kind == OFFSETS ? f->count : p;
    switch (kind) {
    case POINTS:
    case VELOCITY:
        firn_export_axes(kind == POINTS ? f->position[p] : f->velocity[p], z_up, v);
        firn_stream_add(s, v, sizeof v);
        break;
    case DENSITY:
    case MASS:
        v[0] = (float)(kind == DENSITY ? f->density[p] : f->mass[p]);
        firn_stream_add(s, v, sizeof v[0]);
        break;
    case ID: firn_stream_add(s, &f->id[p], sizeof f->id[p]); break;
    default: firn_stream_add(s, &number, sizeof number); break;
    }
}

firn_result firn_vtp_write(const char* path, const firn_frame* frame, bool z_up, firn_error* error)
{
    static const char end[] = "\n</AppendedData>\n</VTKFile>\n";
    firn_stream s;
    FIRN_TRY(firn_stream_open(&s, path, error));
    const firn_result result = put_header(&s, frame);
    for (array_kind k = POINTS; k <= OFFSETS && result == FIRN_OK; k++) {
        if (!is_there(frame, k)) continue;
        const uint64_t bytes = bytes_of(frame, k);
        firn_stream_add(&s, &bytes, sizeof bytes);
        const firn_local rows = (firn_local)rows_of(frame, k);
        for (firn_local p = 0; p < rows && s.reason == 0; p++) put_row(&s, frame, k, z_up, p);
    }
    firn_stream_add(&s, end, sizeof end - 1);
    return firn_stream_commit(&s, result);
}

firn_result firn_pvd_write(const char* path, const char* const* files, const double* times,
                           firn_local count, firn_error* error)
{
    firn_text t = {0};
    firn_text_add(&t, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n"
                      "<Collection>\n");
    for (firn_local k = 0; k < count; k++) {
        firn_text_add(&t, "<DataSet timestep=\"");
        firn_text_add_number(&t, times[k]);
        firn_text_add(&t, "\" file=\"");
        firn_text_add_xml(&t, files[k]);
        firn_text_add(&t, "\"/>\n");
    }
    firn_text_add(&t, "</Collection>\n</VTKFile>\n");
    firn_stream s;
    firn_result result = FIRN_OK;
    if (t.failed) result = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory to write '%s'", path);
    if (result == FIRN_OK) result = firn_stream_open(&s, path, error);
    if (result == FIRN_OK) {
        firn_stream_add(&s, t.data, t.length);
        result = firn_stream_commit(&s, FIRN_OK);
    }
    firn_text_destroy(&t);
    return result;
}
