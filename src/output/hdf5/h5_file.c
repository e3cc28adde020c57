// SPDX-License-Identifier: MIT
// Beginning and ending the writing of HDF5 files: lock, error printing, driver, seal.
#include "output/hdf5/h5_file.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Process-wide, as the state of HDF5 is: two simulations may write at the same time.
static pthread_mutex_t hdf5_lock = PTHREAD_MUTEX_INITIALIZER;

void firn_h5_continue(firn_h5* h5)
{
    pthread_mutex_lock(&hdf5_lock);
    H5Eget_auto2(H5E_DEFAULT, &h5->print, &h5->print_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void firn_h5_pause(firn_h5* h5)
{
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, h5->print, h5->print_data);
    pthread_mutex_unlock(&hdf5_lock);
}

static void begin(firn_h5* h5, const char* path, firn_seal_kind kind, firn_error* error)
{
    *h5 = (firn_h5){.file = -1, .path = path, .kind = kind, .error = error};
    firn_h5_continue(h5);
    h5->driver = firn_h5_driver_register();
}

static void end(firn_h5* h5)
{
    if (h5->driver >= 0) H5FDunregister(h5->driver);
    firn_h5_pause(h5);
}

// The innermost message of HDF5's error stack is the most specific one.
static herr_t keep_first(unsigned n, const H5E_error2_t* entry, void* user)
{
    if (n == 0) snprintf(user, 160, "%s", entry->desc != NULL ? entry->desc : "");
    return 0;
}

firn_result firn_h5_fail(firn_h5* h5, const char* verb, const char* object)
{
    if (h5->unread != FIRN_OK) return h5->unread;
    const int reason = h5->fault.reason;
    if (reason == ENOMEM)
        return firn_fail(h5->error, FIRN_BROKEN_MEMORY, "cannot %s '%s': out of memory", verb,
                         h5->path);
    if (reason != 0)
        return firn_fail(
            h5->error, FIRN_REFUSED_IO, "cannot %s '%s': %s%s", verb, h5->path, strerror(reason),
            reason == ENOSPC || reason == EDQUOT ? " (free some space, then continue: a run with "
                                                   "--resume, a trim by the same command)"
                                                 : "");
    char said[160] = "";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, said);
    return firn_fail(h5->error, FIRN_REFUSED_IO, "cannot %s '%s': HDF5 error at '%s': %s", verb,
                     h5->path, object, said[0] != '\0' ? said : "(no message)");
}

firn_result firn_h5_create(firn_h5* out_h5, const char* path, firn_seal_kind kind,
                           firn_error* error)
{
    firn_draft draft;
    FIRN_TRY(firn_draft_create(path, &draft, error));
    begin(out_h5, path, kind, error);
    out_h5->draft = draft;
    const hid_t access = firn_h5_driver_access(out_h5->driver, &out_h5->fault);
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    // no time stamps: equal contents are equal files
    if (access >= 0 && creation >= 0 && H5Pset_userblock(creation, FIRN_SEAL_BYTES) >= 0 &&
        H5Pset_obj_track_times(creation, false) >= 0)
        out_h5->file = H5Fcreate(draft.temporary, H5F_ACC_TRUNC, creation, access);
    firn_result result = FIRN_OK;
    if (out_h5->file < 0) result = firn_h5_fail(out_h5, "create", "/");
    if (access >= 0) H5Pclose(access);
    if (creation >= 0) H5Pclose(creation);
    if (result == FIRN_OK) return FIRN_OK;
    end(out_h5);
    return firn_draft_commit(&out_h5->draft, result, error);
}

firn_result firn_h5_commit(firn_h5* h5, firn_result result)
{
    const bool closed = H5Fclose(h5->file) >= 0;
    if (result == FIRN_OK && (!closed || h5->fault.reason != 0))
        result = firn_h5_fail(h5, "write", "/");
    end(h5);
    if (result == FIRN_OK) result = firn_seal_write(h5->draft.file, h5->path, h5->kind, h5->error);
    return firn_draft_commit(&h5->draft, result, h5->error);
}
