// SPDX-License-Identifier: MIT
// Pictures of light, linear and without a brightest value: OpenEXR (exr.h) and Radiance (.hdr).
#pragma once
#include "render/image/exr.h"

// Reads either format, known by its first bytes, whatever the file is called. Free the picture with
// firn_exr_picture_destroy. FIRN_REFUSED_DAMAGED: damaged, or neither format.
firn_result firn_light_picture_read(const char* path, firn_exr_picture* out_picture,
                                    firn_error* error);

// Reads a Radiance picture: R, G, B with a common exponent, plain or run-length encoded, divided by
// the exposure that its header names. Refused: columns before rows, colours in XYZ.
firn_result firn_hdr_read(const char* path, firn_exr_picture* out_picture, firn_error* error);
