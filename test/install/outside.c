// SPDX-License-Identifier: MIT
// A stranger's program: prints firn's version and makes an empty scene.
#include <firn/firn.h>
#include <stdio.h>

int main(void)
{
    firn_scene* scene = NULL;
    if (firn_scene_create(&scene) != FIRN_OK) return 1;
    firn_scene_destroy(scene);
    printf("firn %s\n", firn_version().text);
    return 0;
}
