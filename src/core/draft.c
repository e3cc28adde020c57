// SPDX-License-Identifier: MIT
// Atomic file writes. Names are relative to a descriptor of the folder, so that all steps concern
// the same folder.
#define _GNU_SOURCE  // getrandom, O_NOFOLLOW
#include "core/draft.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/input.h"
#include "core/memory.h"
#include "core/paths.h"

#define PREFIX ".firn-"
#define DIGITS 16
#define SUFFIX ".tmp"
#define NAME_BYTES (sizeof PREFIX SUFFIX + DIGITS)
#define ATTEMPTS 100  // names that are tried

static const char* name_of(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void make_name(char out_name[NAME_BYTES])
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
        struct timespec now = {0};  // exclusive creation is what protects; a clock is good enough
        clock_gettime(CLOCK_MONOTONIC, &now);
        number = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec << 16 ^ (uint64_t)getpid();
    }
    snprintf(out_name, NAME_BYTES, PREFIX "%016llx" SUFFIX, (unsigned long long)number);
}

static bool is_draft(const char* name)
{
    return strlen(name) == NAME_BYTES - 1 && strncmp(name, PREFIX, strlen(PREFIX)) == 0 &&
           strspn(name + strlen(PREFIX), "0123456789abcdef") == DIGITS &&
           strcmp(name + strlen(PREFIX) + DIGITS, SUFFIX) == 0;
}

static int open_at(int folder, const char* name, int flags)
{
    int file;
    do {
        file = openat(folder, name, flags | O_CLOEXEC, 0666);
    } while (file < 0 && errno == EINTR);
    return file;
}

// Creates a file that did not exist and locks it, so that firn_draft_clean of another process
// leaves it alone. Negative: failed, errno says why.
static int create_locked(int folder, char out_name[NAME_BYTES])
{
    for (int k = 0; k < ATTEMPTS; k++) {
        make_name(out_name);
        const int file = open_at(folder, out_name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
        if (file < 0 && errno == EEXIST) continue;
        if (file < 0) return -1;
        struct stat status;
        const bool taken = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        // a cleaner that was faster than the lock has removed it
        if (!taken && fstat(file, &status) == 0 && status.st_nlink > 0) return file;
        unlinkat(folder, out_name, 0);
        close(file);
    }
    errno = EEXIST;
    return -1;
}

static void release(firn_draft* draft)
{
    if (draft->folder >= 0) close(draft->folder);
    firn_free(draft->path);
    firn_free(draft->temporary);
    *draft = (firn_draft){.file = -1, .folder = -1};
}

// A rename would replace a device, pipe or socket, even /dev/null for root, also by the name of a
// link to it, such as /dev/stdout.
static firn_result check_target(const char* path, int folder, firn_error* error)
{
    struct stat status;
    if (fstatat(folder, name_of(path), &status, 0) != 0 || S_ISREG(status.st_mode)) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_IO,
                     "cannot write '%s': it is %s, and only regular files are replaced", path,
                     firn_input_kind(status.st_mode));
}

static firn_result create(const char* path, firn_draft* draft, firn_error* error)
{
    char name[NAME_BYTES];
    char* folder = firn_path_folder(path);
    draft->path = firn_strdup(path);
    if (folder == NULL || draft->path == NULL) {
        firn_free(folder);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for writing '%s'", path);
    }
    draft->folder = open_at(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY);
    firn_result r = draft->folder < 0 ? FIRN_OK : check_target(path, draft->folder, error);
    if (r != FIRN_OK) {
        firn_free(folder);
        return r;
    }
    draft->file = draft->folder < 0 ? -1 : create_locked(draft->folder, name);
    if (draft->file < 0) {
        const int reason = errno;
        firn_free(folder);
        return firn_fail(error, FIRN_REFUSED_IO, "cannot create '%s': %s", path, strerror(reason));
    }
    r = firn_path_print(&draft->temporary, error, "%s/%s", folder, name);
    firn_free(folder);
    if (r == FIRN_OK) return FIRN_OK;
    unlinkat(draft->folder, name, 0);
    close(draft->file);
    return r;
}

firn_result firn_draft_create(const char* path, firn_draft* out_draft, firn_error* error)
{
    if (path == NULL || name_of(path)[0] == '\0')
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "the file name is empty");
    firn_draft draft = {.file = -1, .folder = -1};
    const firn_result r = create(path, &draft, error);
    if (r == FIRN_OK)
        *out_draft = draft;
    else
        release(&draft);
    return r;
}

FILE* firn_draft_stream(const firn_draft* draft)
{
    const int copy = fcntl(draft->file, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return NULL;
    FILE* stream = fdopen(copy, "wb");
    if (stream == NULL) {
        const int reason = errno;
        close(copy);
        errno = reason;
    }
    return stream;
}

static int sync_retry(int file)
{
    int status;
    do {
        status = fsync(file);
    } while (status != 0 && errno == EINTR);
    return status;
}

// Makes a rename durable: the name is part of the folder, which is cached separately. Some file
// systems cannot flush a folder and return EINVAL, which is not an error.
static firn_result sync_folder(const firn_draft* draft, firn_error* error)
{
    if (sync_retry(draft->folder) == 0 || errno == EINVAL || errno == ENOTSUP) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_IO, "cannot flush the folder of '%s' to disk: %s",
                     draft->path, strerror(errno));
}

static firn_result publish(const firn_draft* draft, firn_error* error)
{
    if (sync_retry(draft->file) != 0)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot flush '%s' to disk: %s", draft->path,
                         strerror(errno));
    if (renameat(draft->folder, name_of(draft->temporary), draft->folder, name_of(draft->path)) !=
        0)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot rename '%s' to '%s': %s", draft->temporary,
                         draft->path, strerror(errno));
    return FIRN_OK;
}

firn_result firn_draft_commit(firn_draft* draft, firn_result result, firn_error* error)
{
    if (result == FIRN_OK) result = publish(draft, error);
    if (result != FIRN_OK)
        unlinkat(draft->folder, name_of(draft->temporary), 0);
    else
        result = sync_folder(draft, error);
    if (close(draft->file) != 0 && result == FIRN_OK)
        result = firn_fail(error, FIRN_REFUSED_IO, "cannot write '%s': %s", draft->path,
                           strerror(errno));
    release(draft);
    return result;
}

// ---- folders of links ---------------------------------------------------------------------------

firn_result firn_draft_links_make(const char* parent, firn_draft_links* out_links,
                                  firn_error* error)
{
    firn_draft_links links = {.folder = -1};
    char name[NAME_BYTES];
    make_name(name);
    FIRN_TRY(firn_path_print(&links.path, error, "%s/%s", parent, name));
    // exclusive: fails if there is anything of this name
    if (mkdir(links.path, 0777) == 0)
        links.folder = open_at(AT_FDCWD, links.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (links.folder >= 0) {
        flock(links.folder, LOCK_EX | LOCK_NB);
        *out_links = links;
        return FIRN_OK;
    }
    firn_fail(error, FIRN_REFUSED_IO, "cannot create the folder '%s': %s", links.path,
              strerror(errno));
    rmdir(links.path);
    firn_free(links.path);
    return FIRN_REFUSED_IO;
}

// Removes the links of a folder, and nothing else.
static void remove_links(int folder)
{
    DIR* list = fdopendir(folder);
    if (list == NULL) {
        close(folder);
        return;
    }
    for (const struct dirent* e; (e = readdir(list)) != NULL;) {
        struct stat status;
        if (fstatat(folder, e->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISLNK(status.st_mode))
            unlinkat(folder, e->d_name, 0);
    }
    closedir(list);
}

void firn_draft_links_remove(firn_draft_links* links)
{
    remove_links(links->folder);
    rmdir(links->path);
    firn_free(links->path);
    *links = (firn_draft_links){.folder = -1};
}

// ---- after a crash ------------------------------------------------------------------------------

static void clean(int folder, const char* name)
{
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
    const bool links = S_ISDIR(status.st_mode);
    if (!links && !S_ISREG(status.st_mode)) return;
    const int file = open_at(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return;
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        close(file);
    } else if (links) {
        remove_links(file);
        unlinkat(folder, name, AT_REMOVEDIR);
    } else {
        unlinkat(folder, name, 0);
        close(file);
    }
}

void firn_draft_clean(const char* folder)
{
    const int handle = open_at(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    DIR* list = handle < 0 ? NULL : fdopendir(handle);
    if (list == NULL && handle >= 0) close(handle);
    if (list == NULL) return;
    for (const struct dirent* e; (e = readdir(list)) != NULL;)
        if (is_draft(e->d_name)) clean(handle, e->d_name);
    closedir(list);
}
