// SPDX-License-Identifier: MIT
// Stands in for height_png.c where firn is built without libpng.
#include "geometry/sdf/shape.h"

firn_result firn_shapes_add_png_field(firn_shapes* shapes, firn_vec3 origin, firn_vec3 size,
                                      const char* path, firn_local* out_shape, firn_error* error)
{
    (void)shapes;
    (void)origin;
    (void)size;
    (void)out_shape;
    return firn_fail(error, FIRN_REFUSED_BACKEND,
                     "%s: this firn was built without libpng, which pictures of heights need: link "
                     "libfirn instead of libfirn-core, or give the heights as a mesh",
                     path);
}
