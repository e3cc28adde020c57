// SPDX-License-Identifier: MIT
// Targets obj, ply and stl: meshes in memory. What is read must be sound enough to be inspected.
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "fuzz/fuzz.h"
#include "mesh/topology/mesh_inspect.h"

typedef firn_result parse_fn(const char* path, const char* data, size_t bytes, firn_mesh* out,
                             firn_error* error);

static void check_mesh(const firn_mesh* mesh)
{
    firn_fuzz_require(mesh->triangle_count > 0, "a mesh without triangles was accepted");
    for (firn_local i = 0; i < mesh->vertex_count; i++)
        firn_fuzz_require(firn_v3_is_finite(mesh->vertices[i]), "a vertex is not finite");
    for (firn_local k = 0; k < mesh->triangle_count; k++)
        for (int i = 0; i < 3; i++)
            firn_fuzz_require(mesh->triangles[k][i] >= 0 &&
                                  mesh->triangles[k][i] < mesh->vertex_count,
                              "a triangle has no such vertex");
}

static void inspect(const firn_mesh* mesh)
{
    firn_error error;
    firn_mesh_report report;
    char text[300];
    const firn_result result = firn_mesh_inspect(mesh, &report, &error);
    firn_fuzz_check(result, &error);
    firn_fuzz_require(result == FIRN_OK, "a mesh cannot be inspected");
    firn_mesh_report_text(&report, text, sizeof text);
    firn_fuzz_require((text[0] == 0) == firn_mesh_is_sound(&report), "report and text differ");
}

static bool fuzz_mesh(parse_fn* parse, const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(firn_fuzz_cap(size));
    char* file = firn_fuzz_copy(data, size);
    firn_mesh mesh;
    firn_error error;
    const firn_result result = parse("fuzz", file, size, &mesh, &error);
    free(file);
    firn_fuzz_check(result, &error);
    if (result == FIRN_OK) {
        check_mesh(&mesh);
        inspect(&mesh);
    } else {
        firn_fuzz_require(strncmp(error.text, "fuzz", 4) == 0, "a refusal does not name the file");
    }
    firn_mesh_destroy(&mesh);
    firn_fuzz_end(&run);
    return result == FIRN_OK;
}

bool firn_fuzz_obj(const uint8_t* data, size_t size)
{
    return fuzz_mesh(firn_mesh_parse_obj, data, size);
}

bool firn_fuzz_ply(const uint8_t* data, size_t size)
{
    return fuzz_mesh(firn_mesh_parse_ply, data, size);
}

bool firn_fuzz_stl(const uint8_t* data, size_t size)
{
    return fuzz_mesh(firn_mesh_parse_stl, data, size);
}
