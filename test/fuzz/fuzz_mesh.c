// SPDX-License-Identifier: MIT
// libFuzzer target for the mesh readers: the first byte chooses OBJ, PLY or STL, the rest is the
// file. What is read is inspected. Not part of the build; by hand:
//     clang -std=gnu17 -g -O1 -fsanitize=fuzzer,address,undefined -fopenmp -I include -I src \
//         test/fuzz/fuzz_mesh.c src/core/*.c src/mesh/{mesh,obj,ply_*,stl,polygon,weld,orient}.c \
//         src/mesh/{triangle_pair,mesh_intersect,mesh_inspect}.c -lxxhash -lm -o fuzz_mesh
//     mkdir corpus && ./fuzz_mesh -timeout=5 -rss_limit_mb=1024 corpus
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "mesh/topology/mesh_inspect.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0) return 0;
    char* file = malloc(size);  // ends where the file ends: a look beyond it is noticed
    if (file == NULL) return 0;
    memcpy(file, data + 1, size - 1);
    firn_mesh mesh;
    firn_error error;
    firn_result result;
    switch (data[0] % 3) {
    case 0: result = firn_mesh_parse_obj("fuzz", file, size - 1, &mesh, &error); break;
    case 1: result = firn_mesh_parse_ply("fuzz", file, size - 1, &mesh, &error); break;
    default: result = firn_mesh_parse_stl("fuzz", file, size - 1, &mesh, &error); break;
    }
    free(file);
    if (result == FIRN_OK) {
        if (mesh.triangle_count == 0) abort();
        for (firn_local i = 0; i < mesh.vertex_count; i++)
            if (!firn_v3_is_finite(mesh.vertices[i])) abort();
        for (firn_local k = 0; k < mesh.triangle_count; k++)
            for (int i = 0; i < 3; i++)
                if (mesh.triangles[k][i] < 0 || mesh.triangles[k][i] >= mesh.vertex_count) abort();
        firn_mesh_report report;
        char text[300];
        if (firn_mesh_inspect(&mesh, &report, &error) != FIRN_OK) abort();
        firn_mesh_report_text(&report, text, sizeof text);
        if ((text[0] == 0) != firn_mesh_is_sound(&report)) abort();
    } else if (strncmp(error.text, "fuzz", 4) != 0) {
        abort();  // every refusal names the file
    }
    firn_mesh_destroy(&mesh);
    if (firn_memory_read().bytes != 0) abort();
    return 0;
}
