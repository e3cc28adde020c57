// SPDX-License-Identifier: MIT
// Snapshots as CSV.
#include "viewer/source/write_csv.h"

#include <stdio.h>

bool view_write_particles(const char* path, const view_snapshot* s)
{
    FILE* file = fopen(path, "w");
    if (!file) return false;
    fputs("x,y,z\n", file);
    for (int64_t p = 0; p < s->count; p++) {
        const float* x = s->position[p];
        fprintf(file, "%.9g,%.9g,%.9g\n", (double)x[0], (double)x[1], (double)x[2]);
    }
    const bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

bool view_write_colliders(const char* path, const view_snapshot* s)
{
    FILE* file = fopen(path, "w");
    if (!file) return false;
    fputs("body,x,y,z,vx,vy,vz,scale,driver\n", file);
    for (int b = 0; b < s->collider_count; b++) {
        const firn_body_info* i = &s->colliders[b].info;
        static const char* const drivers[] = {"scene", "caller", "free"};
        const firn_vec3 x = i->pose.position, v = i->pose.velocity;
        fprintf(file, "%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%s\n", b, (double)x.x, (double)x.y,
                (double)x.z, (double)v.x, (double)v.y, (double)v.z, (double)i->pose.scale,
                drivers[i->driver]);
    }
    const bool good = !ferror(file);
    return fclose(file) == 0 && good;
}
