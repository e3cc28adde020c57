// SPDX-License-Identifier: MIT
#include "render/path/surface.h"

#include "render/path/surface_scatter.h"
