// SPDX-License-Identifier: MIT
// Files: writing and reading whole ones, hashing in chunks, folders. Uses POSIX calls instead of
// stdio because every write must be checked and names are resolved below a folder.
#define _GNU_SOURCE  // O_NOFOLLOW
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/draft.h"
#include "core/hash.h"
#include "core/input.h"
#include "core/memory.h"
#include "core/paths.h"

#define CHUNK ((size_t)1 << 20)  // [bytes] read at once while hashing

// open() that retries after a signal.
static int open_retry(const char* path, int flags)
{
    int file;
    do {
        file = open(path, flags | O_CLOEXEC, 0666);
    } while (file < 0 && errno == EINTR);
    return file;
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
    firn_draft draft;
    FIRN_TRY(firn_draft_create(path, &draft, error));
    firn_result r = FIRN_OK;
    if (!write_all(draft.file, data, bytes))
        r = firn_fail(error, FIRN_REFUSED_IO, "cannot write %zu bytes to '%s': %s", bytes, path,
                      strerror(errno));
    return firn_draft_commit(&draft, r, error);
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

// ---- folders ------------------------------------------------------------------------------------

static bool is_folder(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

firn_result firn_folder_make(const char* path, firn_error* error)
{
    if (path == NULL || path[0] == '\0')
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "the folder name is empty");
    char* part = NULL;
    FIRN_TRY(firn_path_print(&part, error, "%s", path));
    firn_result r = FIRN_OK;
    for (size_t i = 1; i <= strlen(path) && r == FIRN_OK; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        part[i] = '\0';
        // another process may create it at the same time, so only the result counts
        const int reason = mkdir(part, 0777) == 0 ? 0 : errno;
        if (reason != 0 && !is_folder(part))
            r = firn_fail(error, FIRN_REFUSED_IO, "cannot create the folder '%s': %s", part,
                          strerror(reason == EEXIST ? ENOTDIR : reason));
        part[i] = path[i];
    }
    firn_free(part);
    return r;
}

// Opens the folder at the first `length` bytes of `file` below the folder `dir`, part by part, none
// of which may be a symbolic link. Negative: failed, errno says why.
static int open_inside(const char* dir, const char* file, size_t length)
{
    int folder = open_retry(dir, O_RDONLY | O_DIRECTORY);
    for (size_t at = 0; at < length && folder >= 0;) {
        const size_t end = at + strcspn(file + at, "/");
        char* part = firn_strndup(file + at, end - at);
        const int next =
            part == NULL ? -1
                         : openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        const int reason = part == NULL ? ENOMEM : errno;
        firn_free(part);
        close(folder);
        folder = next;
        errno = reason;
        at = end + 1;
    }
    return folder;
}

static firn_result refuse_inside(const char* verb, const char* dir, const char* file, int reason,
                                 firn_error* error)
{
    if (reason != ELOOP && reason != ENOTDIR)
        return firn_fail(error, reason == ENOMEM ? FIRN_BROKEN_MEMORY : FIRN_REFUSED_IO,
                         "cannot %s '%s/%s': %s", verb, dir, file, strerror(reason));
    return firn_fail(error, FIRN_REFUSED_IO,
                     "cannot %s '%s/%s': it is not a folder or file of '%s' itself but a symbolic "
                     "link or something else, and firn changes nothing outside: remove it, or "
                     "choose another folder",
                     verb, dir, file, dir);
}

firn_result firn_folder_make_inside(const char* dir, const char* name, firn_error* error)
{
    const int folder = open_inside(dir, name, 0);
    const bool made = folder >= 0 && (mkdirat(folder, name, 0777) == 0 || errno == EEXIST);
    int reason = errno;
    if (folder >= 0) close(folder);
    if (made) {
        const int inside = open_inside(dir, name, strlen(name));
        reason = errno;
        if (inside >= 0) close(inside);
        if (inside >= 0) return FIRN_OK;
    }
    return refuse_inside("write into", dir, name, reason, error);
}

firn_result firn_file_remove_inside(const char* dir, const char* file, uint64_t bytes,
                                    firn_error* error)
{
    if (!firn_path_is_inside(file))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "'%s' is outside the folder '%s'", file,
                         dir);
    const char* slash = strrchr(file, '/');
    const char* name = slash == NULL ? file : slash + 1;
    const int folder = open_inside(dir, file, slash == NULL ? 0 : (size_t)(slash - file));
    int reason = folder < 0 ? errno : 0;
    struct stat status = {0};
    if (reason == 0 && fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) reason = errno;
    const bool other =
        bytes != FIRN_ANY_SIZE && !(S_ISREG(status.st_mode) && (uint64_t)status.st_size == bytes);
    if (reason == 0 && !other && unlinkat(folder, name, 0) != 0) reason = errno;
    if (folder >= 0) close(folder);
    if (reason == ENOENT) return FIRN_OK;
    if (reason != 0) return refuse_inside("remove", dir, file, reason, error);
    if (!other) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_DAMAGED,
                     "'%s/%s' is not the file of %llu bytes that was expected: it stays", dir, file,
                     (unsigned long long)bytes);
}

firn_result firn_file_link_inside(const char* dir, const char* file, const char* other,
                                  bool* out_made, firn_error* error)
{
    *out_made = false;
    if (!firn_path_is_inside(file) || !firn_path_is_inside(other))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "'%s' is outside the folder '%s'", other,
                         dir);
    const char* slash = strrchr(file, '/');
    const size_t head = slash == NULL ? 0 : (size_t)(slash - file);
    if (slash == NULL || strncmp(file, other, head + 1) != 0 || strchr(other + head + 1, '/'))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "'%s' and '%s' are not in one folder", file,
                         other);
    FIRN_TRY(firn_file_remove_inside(dir, other, FIRN_ANY_SIZE, error));
    const int folder = open_inside(dir, file, head);
    int reason = folder < 0 ? errno : 0;
    if (reason == 0 && linkat(folder, slash + 1, folder, other + head + 1, 0) != 0) reason = errno;
    *out_made = reason == 0;
    while (reason == 0 && fsync(folder) != 0 && errno != EINVAL && errno != ENOTSUP)
        if (errno != EINTR) reason = errno;
    if (folder >= 0) close(folder);
    if (reason == EPERM || reason == ENOTSUP || reason == EOPNOTSUPP || reason == EMLINK)
        return FIRN_OK;
    return reason == 0 ? FIRN_OK : refuse_inside("write", dir, other, reason, error);
}
