// SPDX-License-Identifier: MIT
// The seal of frames and checkpoints: 512 bytes of text with kind, size and checksum.
#include "output/hdf5/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/hash.h"
#include "core/input.h"

#define CHUNK ((size_t)1 << 16)  // [bytes] on the stack while hashing

static const char* const kind_names[] = {"frame", "checkpoint"};

// The seal is a function of kind, size and content. Verification compares all 512 bytes, so that a
// change to any byte of the file is found.
static void compose(firn_seal_kind kind, uint64_t bytes, uint64_t checksum,
                    char out_seal[FIRN_SEAL_BYTES])
{
    memset(out_seal, 0, FIRN_SEAL_BYTES);
    snprintf(out_seal, FIRN_SEAL_BYTES,
             "firn %s 1\nbytes %" PRIu64 "\nxxh64 %016" PRIx64 "\n"
             "An HDF5 file begins at byte 512; size and checksum are of what follows there.\n",
             kind_names[kind], bytes, checksum);
}

// Reads up to `bytes` at `offset`; fewer only at the end of the file. Negative: failed.
static ssize_t read_at(int file, void* data, size_t bytes, uint64_t offset)
{
    size_t have = 0;
    while (have < bytes) {
        const ssize_t done = pread(file, (char*)data + have, bytes - have, (off_t)(offset + have));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return -1;
        if (done == 0) break;
        have += (size_t)done;
    }
    return (ssize_t)have;
}

// Size and checksum of everything after the seal. 0, or an errno.
static int measure(int file, uint64_t* out_bytes, uint64_t* out_checksum)
{
    firn_hasher* hasher = firn_hasher_create();
    if (hasher == NULL) return ENOMEM;
    char chunk[CHUNK];
    uint64_t bytes = 0;
    ssize_t have;
    while ((have = read_at(file, chunk, CHUNK, FIRN_SEAL_BYTES + bytes)) > 0) {
        firn_hasher_add(hasher, chunk, (size_t)have);
        bytes += (uint64_t)have;
    }
    const int reason = have < 0 ? errno : 0;
    *out_bytes = bytes;
    *out_checksum = firn_hasher_value(hasher);
    firn_hasher_destroy(hasher);
    return reason;
}

static int write_seal(int file, const char seal[FIRN_SEAL_BYTES])
{
    size_t done = 0;
    while (done < FIRN_SEAL_BYTES) {
        const ssize_t n = pwrite(file, seal + done, FIRN_SEAL_BYTES - done, (off_t)done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        if (n == 0) return EIO;
        done += (size_t)n;
    }
    return 0;
}

firn_result firn_seal_write(int file, const char* path, firn_seal_kind kind, firn_error* error)
{
    uint64_t bytes = 0, checksum = 0;
    char seal[FIRN_SEAL_BYTES];
    int reason = measure(file, &bytes, &checksum);
    compose(kind, bytes, checksum, seal);
    if (reason == 0) reason = write_seal(file, seal);
    if (reason == ENOMEM)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory writing '%s'", path);
    if (reason != 0)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot write '%s': %s", path, strerror(reason));
    return FIRN_OK;
}

// Reports what is wrong with the first bytes of a file that is not sealed as `kind`.
static firn_result refuse_start(const char* path, firn_seal_kind kind, const char* seal,
                                size_t have, firn_error* error)
{
    for (int k = 0; k < 2; k++) {
        char begin[32];
        const size_t length = (size_t)snprintf(begin, sizeof begin, "firn %s ", kind_names[k]);
        if (have <= length || memcmp(seal, begin, length) != 0) continue;
        if ((firn_seal_kind)k != kind)
            return firn_fail(error, FIRN_REFUSED_DAMAGED, "'%s' is a firn %s, not a %s", path,
                             kind_names[k], kind_names[kind]);
        if (have == FIRN_SEAL_BYTES && memcmp(seal + length, "1\n", 2) != 0)
            return firn_fail(
                error, FIRN_REFUSED_DAMAGED,
                "'%s' has format '%.*s', this version of firn reads format 1: the file is "
                "damaged, or a newer version wrote it",
                path, 4, seal + length);
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "'%s' is damaged: its header is incomplete",
                         path);
    }
    return firn_fail(error, FIRN_REFUSED_DAMAGED,
                     "'%s' is not a firn %s: it does not begin with 'firn %s 1'", path,
                     kind_names[kind], kind_names[kind]);
}

static firn_result verify(int file, const char* path, firn_seal_kind kind, firn_error* error)
{
    char seal[FIRN_SEAL_BYTES], expected[FIRN_SEAL_BYTES], format[64];
    const ssize_t have = read_at(file, seal, sizeof seal, 0);
    if (have < 0)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot read '%s': %s", path, strerror(errno));
    const size_t length = (size_t)snprintf(format, sizeof format, "firn %s 1\n", kind_names[kind]);
    if (have < FIRN_SEAL_BYTES || memcmp(seal, format, length) != 0)
        return refuse_start(path, kind, seal, (size_t)have, error);
    uint64_t bytes, checksum, said_bytes = 0, said_checksum = 0;
    const int reason = measure(file, &bytes, &checksum);
    if (reason == ENOMEM)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory reading '%s'", path);
    if (reason != 0)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot read '%s': %s", path, strerror(reason));
    compose(kind, bytes, checksum, expected);
    if (memcmp(seal, expected, FIRN_SEAL_BYTES) == 0) return FIRN_OK;
    seal[FIRN_SEAL_BYTES - 1] = '\0';
    const int found =
        sscanf(seal + length, "bytes %" SCNu64 "\nxxh64 %" SCNx64, &said_bytes, &said_checksum);
    if (found == 2 && said_bytes != bytes)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "'%s' is damaged: it has %" PRIu64
                         " bytes of data, its header says %" PRIu64
                         " (was it cut off while it was copied?)",
                         path, bytes, said_bytes);
    return firn_fail(error, FIRN_REFUSED_DAMAGED,
                     "'%s' is damaged: its checksum is not the one in its header", path);
}

firn_result firn_seal_verify(const char* path, firn_seal_kind kind, firn_error* error)
{
    int file = -1;
    uint64_t bytes = 0;
    FIRN_TRY(firn_input_open(path, &file, &bytes, error));
    const firn_result result = verify(file, path, kind, error);
    close(file);
    return result;
}

firn_result firn_seal_peek(const char* path, bool* out_known, firn_seal_kind* out_kind,
                           firn_error* error)
{
    int file = -1;
    uint64_t bytes = 0;
    FIRN_TRY(firn_input_open(path, &file, &bytes, error));
    char seal[32] = "";
    const ssize_t have = read_at(file, seal, sizeof seal - 1, 0);
    const int reason = errno;
    close(file);
    if (have < 0)
        return firn_fail(error, FIRN_REFUSED_IO, "cannot read '%s': %s", path, strerror(reason));
    *out_known = false;
    for (int k = 0; k < 2; k++) {
        char begin[32];
        const int length = snprintf(begin, sizeof begin, "firn %s ", kind_names[k]);
        if (strncmp(seal, begin, (size_t)length) != 0) continue;
        *out_kind = (firn_seal_kind)k;
        *out_known = true;
    }
    return FIRN_OK;
}
