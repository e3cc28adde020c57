// SPDX-License-Identifier: MIT
// What texture_vdb.cc offers to C. No exception leaves it.
#pragma once
#include "geometry/levelset/texture.h"

#ifdef __cplusplus
extern "C" {
#endif

// As firn_texture_read. After a failure `out_texture` owns what it has, and `out_message` gets the
// reason.
firn_result firn_texture_vdb_read(const char* path, const char* grid, firn_texture* out_texture,
                                  char* out_message, size_t message_size);

#ifdef __cplusplus
}
#endif
