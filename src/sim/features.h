// SPDX-License-Identifier: MIT
// Which optional libraries this library was built with.
#pragma once

// "vdb freetype"; "" for none. Static.
const char* firn_features(void);
