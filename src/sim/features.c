// SPDX-License-Identifier: MIT
#include "sim/features.h"

bool firn_features_has_runs(void)
{
#ifdef FIRN_CORE
    return false;
#else
    return true;
#endif
}

const char* firn_features(void)
{
#if defined(FIRN_HAVE_VDB) && defined(FIRN_HAVE_FREETYPE)
    return "vdb freetype";
#elif defined(FIRN_HAVE_VDB)
    return "vdb";
#elif defined(FIRN_HAVE_FREETYPE)
    return "freetype";
#else
    return "";
#endif
}
