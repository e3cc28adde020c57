// SPDX-License-Identifier: MIT
#include "render/path/bvh/bvh_trace.h"
