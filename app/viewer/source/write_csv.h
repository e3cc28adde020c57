// SPDX-License-Identifier: MIT
// Writes a snapshot as CSV, for scripts that measure their effect.
#pragma once
#include <stdbool.h>

#include "viewer/source/snapshot.h"

// "x,y,z" of every particle [m]. False: see errno.
bool view_write_particles(const char* path, const view_snapshot* snapshot);
// "body,x,y,z,vx,vy,vz,scale,driver" of every collider.
bool view_write_colliders(const char* path, const view_snapshot* snapshot);
