// SPDX-License-Identifier: MIT
// A stranger's program: prints firn's version and makes a scene, with OpenVDB if firn has it.
#include <firn/firn.h>
#include <stdio.h>
#include <string.h>

// A cube of snow from triangles: its level set is OpenVDB's.
static firn_result add_cube(firn_scene* scene)
{
    static const firn_vec3 corners[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                         {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const int32_t sides[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                      3, 6, 2, 3, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5};
    firn_mesh_def def = firn_default_mesh_def();
    def.vertices = corners;
    def.vertex_count = 8;
    def.triangles = sides;
    def.triangle_count = 12;
    def.voxel = 0.1;
    firn_shape_id cube;
    return firn_scene_mesh(scene, &def, &cube);
}

int main(void)
{
    firn_scene* scene = NULL;
    if (firn_scene_create(&scene) != FIRN_OK) return 1;
    if (strstr(firn_version().features, "vdb") != NULL && add_cube(scene) != FIRN_OK) {
        fputs(firn_scene_messages(scene), stderr);
        return 1;
    }
    firn_scene_destroy(scene);
    if (strcmp(firn_version().text, FIRN_VERSION_TEXT) != 0) return 1;
    printf("firn %s\n", firn_version().text);
    return 0;
}
