// SPDX-License-Identifier: MIT
// VDB files: written to a temporary name, then renamed.
#include "output/export/vdb.h"

#ifdef FIRN_HAVE_VDB

#include "core/draft.h"
#include "output/export/vdb_shim.h"

bool firn_vdb_available(void)
{
    return true;
}

firn_result firn_vdb_write(const char* path, const firn_density_volume* volume, int64_t frame,
                           bool z_up, firn_error* error)
{
    char message[500] = "";
    firn_draft draft;
    FIRN_TRY(firn_draft_create(path, &draft, error));
    firn_result result =
        firn_vdb_shim_write(draft.temporary, volume, frame, z_up, message, sizeof message);
    if (result != FIRN_OK)
        result = firn_fail(error, result, "cannot write '%s': %s", path, message);
    return firn_draft_commit(&draft, result, error);
}

firn_result firn_vdb_write_band(const char* path, const firn_narrow_band* band, int64_t frame,
                                bool z_up, firn_error* error)
{
    char message[500] = "";
    firn_draft draft;
    FIRN_TRY(firn_draft_create(path, &draft, error));
    firn_result result =
        firn_vdb_shim_write_band(draft.temporary, band, frame, z_up, message, sizeof message);
    if (result != FIRN_OK)
        result = firn_fail(error, result, "cannot write '%s': %s", path, message);
    return firn_draft_commit(&draft, result, error);
}

#else

static firn_result no_vdb(const char* path, firn_error* error)
{
    return firn_fail(error, FIRN_REFUSED_BACKEND,
                     "cannot write '%s': firn was built without OpenVDB; install the package "
                     "libopenvdb-dev and build it again",
                     path);
}

bool firn_vdb_available(void)
{
    return false;
}

firn_result firn_vdb_write(const char* path, const firn_density_volume* volume, int64_t frame,
                           bool z_up, firn_error* error)
{
    (void)volume, (void)frame, (void)z_up;
    return no_vdb(path, error);
}

firn_result firn_vdb_write_band(const char* path, const firn_narrow_band* band, int64_t frame,
                                bool z_up, firn_error* error)
{
    (void)band, (void)frame, (void)z_up;
    return no_vdb(path, error);
}

#endif
