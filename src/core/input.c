// SPDX-License-Identifier: MIT
// Opens users' files. The kind is read from the open descriptor, so that the file cannot be
// exchanged between the check and its use.
#include "core/input.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char* firn_input_kind(mode_t mode)
{
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

static firn_result refuse_kind(const char* path, const char* kind, firn_error* error)
{
    return firn_fail(error, FIRN_REFUSED_IO, "cannot read '%s': it is %s, not a regular file", path,
                     kind);
}

firn_result firn_input_open(const char* path, int* out_file, uint64_t* out_bytes, firn_error* error)
{
    int file;
    do {  // O_NONBLOCK: opening a pipe does not wait for its writer
        file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    } while (file < 0 && errno == EINTR);
    if (file < 0 && errno == ENXIO) return refuse_kind(path, "a socket or a device", error);
    if (file < 0)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot open '%s': %s", path, strerror(errno));
    struct stat status;
    if (fstat(file, &status) != 0) {
        const int reason = errno;
        close(file);
        return firn_fail(error, FIRN_REFUSED_IO, "cannot read '%s': %s", path, strerror(reason));
    }
    if (!S_ISREG(status.st_mode)) {
        close(file);
        return refuse_kind(path, firn_input_kind(status.st_mode), error);
    }
    *out_file = file;
    *out_bytes = (uint64_t)status.st_size;
    return FIRN_OK;
}

firn_result firn_input_stream(const char* path, FILE** out_stream, uint64_t* out_bytes,
                              firn_error* error)
{
    int file = -1;
    uint64_t bytes = 0;
    FIRN_TRY(firn_input_open(path, &file, &bytes, error));
    FILE* stream = fdopen(file, "rb");
    if (stream == NULL) {
        const int reason = errno;
        close(file);
        return firn_fail(error, reason == ENOMEM ? FIRN_BROKEN_MEMORY : FIRN_REFUSED_IO,
                         "cannot read '%s': %s", path, strerror(reason));
    }
    *out_stream = stream;
    if (out_bytes != NULL) *out_bytes = bytes;
    return FIRN_OK;
}

firn_result firn_input_check(const char* path, firn_error* error)
{
    int file = -1;
    uint64_t bytes = 0;
    FIRN_TRY(firn_input_open(path, &file, &bytes, error));
    close(file);
    return FIRN_OK;
}

double firn_input_allowance(uint64_t file_bytes)
{
    return fmax(64e6, 256 * (double)file_bytes);
}
