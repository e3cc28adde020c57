// SPDX-License-Identifier: MIT
// Files: atomic writes, reading whole files, hashing in chunks. Uses POSIX calls instead of stdio
// because every write and close must be checked and fsync needs a descriptor.
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/hash.h"
#include "core/input.h"
#include "core/memory.h"

#define SUFFIX ".tmp"
#define CHUNK ((size_t)1 << 20)  // [bytes] read at once while hashing

firn_result firn_file_temporary(const char* path, char* out_temporary, size_t size,
                                firn_error* error)
{
    if (path == NULL || path[0] == '\0')
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "the file name is empty");
    const size_t length = strlen(path);
    if (length + sizeof SUFFIX > size)
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "the path '%.200s…' is too long (%zu bytes, at most %zu): use a shorter one", path,
            length, size - (size < sizeof SUFFIX ? size : sizeof SUFFIX));
    snprintf(out_temporary, size, "%s%s", path, SUFFIX);
    return FIRN_OK;
}

// open() that retries after a signal.
static int open_retry(const char* path, int flags)
{
    int file;
    do {
        file = open(path, flags | O_CLOEXEC, 0666);
    } while (file < 0 && errno == EINTR);
    return file;
}

static int sync_retry(int file)
{
    int status;
    do {
        status = fsync(file);
    } while (status != 0 && errno == EINTR);
    return status;
}

// Makes a rename durable: the name is part of the folder, which is cached separately.
static firn_result sync_folder_of(const char* path, firn_error* error)
{
    char folder[PATH_MAX];
    const char* slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 0 : (size_t)(slash - path);
    if (slash == NULL) {
        strcpy(folder, ".");
    } else if (length == 0) {
        strcpy(folder, "/");
    } else if (length < sizeof folder) {
        memcpy(folder, path, length);
        folder[length] = '\0';
    } else {
        return firn_fail(error, FIRN_REFUSED_IO, "the path '%.200s…' is too long", path);
    }
    const int file = open_retry(folder, O_RDONLY | O_DIRECTORY);
    if (file < 0)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot open the folder '%s': %s", folder,
                         strerror(errno));
    // some file systems cannot sync a folder and return EINVAL, which is not an error
    const bool failed = sync_retry(file) != 0 && errno != EINVAL && errno != ENOTSUP;
    const int reason = errno;
    close(file);
    if (failed)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot flush the folder '%s' to disk: %s", folder,
                         strerror(reason));
    return FIRN_OK;
}

firn_result firn_file_commit(const char* temporary, const char* path, firn_error* error)
{
    const int file = open_retry(temporary, O_RDWR);
    if (file < 0)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot open '%s' to flush it: %s", temporary,
                         strerror(errno));
    bool good = sync_retry(file) == 0;
    int reason = errno;
    if (close(file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (!good) {
        unlink(temporary);
        return firn_fail(error, FIRN_REFUSED_IO, "cannot flush '%s' to disk: %s", temporary,
                         strerror(reason));
    }
    if (rename(temporary, path) != 0) {
        reason = errno;
        unlink(temporary);
        return firn_fail(error, FIRN_REFUSED_IO, "cannot rename '%s' to '%s': %s", temporary, path,
                         strerror(reason));
    }
    return sync_folder_of(path, error);
}

static bool write_all(int file, const char* data, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t done = write(file, data, bytes);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            if (done == 0) errno = EIO;  // avoids an endless loop
            return false;
        }
        data += done;
        bytes -= (size_t)done;
    }
    return true;
}

firn_result firn_file_write(const char* path, const void* data, size_t bytes, firn_error* error)
{
    char temporary[PATH_MAX];
    FIRN_TRY(firn_file_temporary(path, temporary, sizeof temporary, error));
    const int file = open_retry(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    if (file < 0)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot create '%s': %s", temporary,
                         strerror(errno));
    bool good = write_all(file, data, bytes);
    int reason = errno;
    if (close(file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (!good) {
        unlink(temporary);
        return firn_fail(error, FIRN_REFUSED_IO, "cannot write %zu bytes to '%s': %s", bytes,
                         temporary, strerror(reason));
    }
    return firn_file_commit(temporary, path, error);
}

// Reads one chunk of a file; short only at its end. Negative: failed, errno says why.
static ssize_t read_chunk(int file, char* data, size_t bytes)
{
    size_t have = 0;
    while (have < bytes) {
        const ssize_t done = read(file, data + have, bytes - have);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return -1;
        if (done == 0) break;
        have += (size_t)done;
    }
    return (ssize_t)have;
}

firn_result firn_file_read(const char* path, size_t limit, char** out_data, size_t* out_bytes,
                           firn_error* error)
{
    int file = -1;
    uint64_t bytes = 0;
    FIRN_TRY(firn_input_open(path, &file, &bytes, error));
    if (bytes > limit || bytes >= SIZE_MAX) {
        close(file);
        return firn_fail(error, FIRN_REFUSED_IO,
                         "'%s' is too large: %llu bytes, at most %zu are supported", path,
                         (unsigned long long)bytes, limit);
    }
    char* data = firn_alloc((size_t)bytes + 1, 1);
    if (data == NULL) {
        close(file);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the %llu bytes of '%s'",
                         (unsigned long long)bytes, path);
    }
    const ssize_t have = read_chunk(file, data, (size_t)bytes);
    const int reason = errno;
    close(file);
    if (have < 0) {
        firn_free(data);
        return firn_fail(error, FIRN_REFUSED_IO, "cannot read '%s': %s", path, strerror(reason));
    }
    data[have] = '\0';  // the file may have become shorter in the meantime
    *out_data = data;
    *out_bytes = (size_t)have;
    return FIRN_OK;
}

bool firn_file_is_missing(const char* path)
{
    struct stat status;
    return lstat(path, &status) != 0 && errno == ENOENT;
}

firn_result firn_file_checksum(const char* path, uint64_t* out_bytes, uint64_t* out_checksum,
                               firn_error* error)
{
    int file = -1;
    uint64_t total = 0;
    FIRN_TRY(firn_input_open(path, &file, &total, error));
    char* chunk = firn_alloc(CHUNK, 1);
    firn_hasher* hasher = firn_hasher_create();
    if (chunk == NULL || hasher == NULL) {
        firn_free(chunk);
        firn_hasher_destroy(hasher);
        close(file);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for reading '%s'", path);
    }
    ssize_t have;
    total = 0;
    while ((have = read_chunk(file, chunk, CHUNK)) > 0) {
        firn_hasher_add(hasher, chunk, (size_t)have);
        total += (uint64_t)have;
    }
    const int reason = errno;
    const uint64_t checksum = firn_hasher_value(hasher);
    firn_free(chunk);
    firn_hasher_destroy(hasher);
    close(file);
    if (have < 0)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot read '%s': %s", path, strerror(reason));
    *out_bytes = total;
    *out_checksum = checksum;
    return FIRN_OK;
}

static bool is_folder(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

firn_result firn_folder_make(const char* path, firn_error* error)
{
    char part[PATH_MAX];
    const size_t length = path == NULL ? 0 : strlen(path);
    if (length == 0) return firn_fail(error, FIRN_REFUSED_ARGUMENT, "the folder name is empty");
    if (length >= sizeof part)
        return firn_fail(error, FIRN_REFUSED_IO, "the path '%.200s…' is too long (%zu bytes)", path,
                         length);
    memcpy(part, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (part[i] != '/' && part[i] != '\0') continue;
        part[i] = '\0';
        // another process may create it at the same time, so only the result counts
        const int reason = mkdir(part, 0777) == 0 ? 0 : errno;
        if (reason != 0 && !is_folder(part)) {
            return firn_fail(error, FIRN_REFUSED_IO, "cannot create the folder '%s': %s", part,
                             strerror(reason == EEXIST ? ENOTDIR : reason));
        }
        part[i] = path[i];
    }
    return FIRN_OK;
}
