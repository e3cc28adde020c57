// SPDX-License-Identifier: MIT
// A moment as tables, for scripts that measure what they did.
#pragma once
#include <stdbool.h>

#include "viewer/source/snapshot.h"

// "x,y,z" of every particle [m]. False: errno says why.
bool view_write_particles(const char* path, const view_snapshot* snapshot);
// "body,x,y,z,vx,vy,vz,scale,driver" of every body.
bool view_write_bodies(const char* path, const view_snapshot* snapshot);
