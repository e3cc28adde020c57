// SPDX-License-Identifier: MIT
// libFuzzer target for the glTF reader: whatever is in the file, it is read or refused. Not part of
// the build; by hand:
//     clang -std=gnu17 -g -O1 -fsanitize=fuzzer,address,undefined -fopenmp -I include -I src \
//         test/fuzz/fuzz_gltf.c src/core/*.c src/mesh/*.c -lxxhash -lm -o fuzz_gltf
//     mkdir corpus && cp scenes/demo/*/*.glb corpus && ./fuzz_gltf -timeout=5 -rss_limit_mb=2048
//     corpus
#include <stdio.h>
#include <unistd.h>

#include "core/memory.h"
#include "mesh/io/gltf.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/fuzz-%d.glb", (int)getpid());
    FILE* file = fopen(path, "wb");
    if (file == NULL) return 0;
    const bool written = fwrite(data, 1, size, file) == size;
    fclose(file);
    firn_memory_budget* budget = firn_memory_budget_create((uint64_t)1 << 30);
    firn_memory_use(budget);
    firn_gltf* gltf = NULL;
    firn_mesh mesh = {0};
    if (written && firn_gltf_read(path, true, NULL, &gltf, NULL) == FIRN_OK &&
        firn_gltf_pose(gltf, 0.3, -1, &mesh, NULL) == FIRN_OK)
        firn_mesh_destroy(&mesh);
    firn_gltf_destroy(gltf);
    firn_memory_use(NULL);
    firn_memory_budget_release(budget);
    return 0;
}
