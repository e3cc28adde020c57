// SPDX-License-Identifier: MIT
// VTK XML: .vtp (poly data, raw appended arrays, one vertex cell with all points) and the .pvd that
// lists them as a time series. Layout after VTK's file format manual.
#include "output/export/points.h"
#include "output/run/stream.h"

static bool has(const firn_frame* f, int field)
{
    return f->fields[field] != NULL || field == FIRN_FRAME_POSITION;
}

static uint64_t bytes_of(const firn_frame* f, int field)
{
    return (uint64_t)f->count * firn_point_type_of(field)->bytes;
}

static void add_array(firn_text* t, const char* type, const char* name, int components,
                      uint64_t bytes, uint64_t* offset)
{
    firn_text_add(t,
                  "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                  "format=\"appended\" offset=\"%llu\"/>\n",
                  type, name, components, (unsigned long long)*offset);
    *offset += sizeof(uint64_t) + bytes;  // the length of each array precedes it
}

static void add_field(firn_text* t, const firn_frame* f, int field, uint64_t* offset)
{
    const firn_point_type* type = firn_point_type_of(field);
    add_array(t, type->vtk, firn_field_table[field].name, type->components, bytes_of(f, field),
              offset);
}

// Bytes of the arrays of the vertex cell: the particle of each corner, and the end of the cell.
static uint64_t connectivity_bytes(const firn_frame* f)
{
    return (uint64_t)f->count * sizeof(int32_t);
}

static uint64_t offsets_bytes(const firn_frame* f)
{
    return f->count > 0 ? sizeof(int32_t) : 0;
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
    add_field(&t, f, FIRN_FRAME_POSITION, &offset);
    firn_text_add(&t, "</Points>\n<PointData>\n");
    for (int field = 0; field < FIRN_FRAME_FIELD_COUNT; field++)
        if (has(f, field) && field != FIRN_FRAME_POSITION) add_field(&t, f, field, &offset);
    firn_text_add(&t, "</PointData>\n<Verts>\n");
    add_array(&t, "Int32", "connectivity", 1, connectivity_bytes(f), &offset);
    add_array(&t, "Int32", "offsets", 1, offsets_bytes(f), &offset);
    firn_text_add(&t, "</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    return firn_stream_add_text(s, &t);
}

static void put_field(firn_stream* s, const firn_frame* f, int field, bool z_up)
{
    const size_t each = firn_point_type_of(field)->bytes;
    const uint64_t bytes = bytes_of(f, field);
    firn_stream_add(s, &bytes, sizeof bytes);
    for (firn_local p = 0; p < f->count && s->reason == 0; p++) {
        unsigned char value[FIRN_POINT_BYTES_MAX];
        firn_point_value(f, field, p, z_up, value);
        firn_stream_add(s, value, each);
    }
}

static void put_cell(firn_stream* s, const firn_frame* f)
{
    const uint64_t connectivity = connectivity_bytes(f), offsets = offsets_bytes(f);
    const int32_t end = f->count;
    firn_stream_add(s, &connectivity, sizeof connectivity);
    for (int32_t p = 0; p < f->count && s->reason == 0; p++) firn_stream_add(s, &p, sizeof p);
    firn_stream_add(s, &offsets, sizeof offsets);
    firn_stream_add(s, &end, offsets);
}

firn_result firn_vtp_write(const char* path, const firn_frame* frame, bool z_up, firn_error* error)
{
    static const char end[] = "\n</AppendedData>\n</VTKFile>\n";
    firn_stream s;
    FIRN_TRY(firn_stream_open(&s, path, error));
    const firn_result result = put_header(&s, frame);
    for (int field = 0; field < FIRN_FRAME_FIELD_COUNT && result == FIRN_OK; field++)
        if (has(frame, field)) put_field(&s, frame, field, z_up);
    if (result == FIRN_OK) put_cell(&s, frame);
    firn_stream_add(&s, end, sizeof end - 1);
    return firn_stream_commit(&s, result);
}

firn_result firn_pvd_write(const char* path, const char* const* files, const double* times,
                           firn_local count, firn_error* error)
{
    firn_stream s;
    FIRN_TRY(firn_stream_open(&s, path, error));
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
    return firn_stream_commit(&s, firn_stream_add_text(&s, &t));
}
