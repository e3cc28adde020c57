// SPDX-License-Identifier: MIT
// Opening frames and checkpoints for reading: seal, superblock, bytes.
#include "output/hdf5/h5_input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/input.h"
#include "output/hdf5/h5_object.h"

#define SUPERBLOCK_BYTES 48

static firn_result fail(firn_h5_input* in, firn_result result)
{
    in->failure = result;
    return result;
}

firn_result firn_h5_damaged(firn_h5_input* in, const char* object, const char* what)
{
    if (in->failure != FIRN_OK) return in->failure;
    if (object == NULL)
        return fail(
            in, firn_fail(in->error, FIRN_REFUSED_DAMAGED, "'%s' is damaged: %s", in->path, what));
    return fail(in, firn_fail(in->error, FIRN_REFUSED_DAMAGED, "'%s' is damaged: '%s' %s", in->path,
                              object, what));
}

firn_result firn_h5_out_of_memory(firn_h5_input* in)
{
    if (in->failure != FIRN_OK) return in->failure;
    return fail(
        in, firn_fail(in->error, FIRN_BROKEN_MEMORY, "cannot read '%s': out of memory", in->path));
}

firn_result firn_h5_read_at(firn_h5_input* in, uint64_t address, void* out_data, size_t bytes)
{
    if (in->failure != FIRN_OK) return in->failure;
    if (address > in->bytes || bytes > in->bytes - address)
        return firn_h5_damaged(in, NULL, "an address leads out of the file");
    char* to = out_data;
    uint64_t offset = FIRN_SEAL_BYTES + address;
    while (bytes > 0) {
        const ssize_t done = pread(in->file, to, bytes, (off_t)offset);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0)
            return fail(in, firn_fail(in->error, FIRN_REFUSED_IO, "cannot read '%s': %s", in->path,
                                      strerror(errno)));
        if (done == 0) return firn_h5_damaged(in, NULL, "it became shorter while it was read");
        to += done;
        offset += (uint64_t)done;
        bytes -= (size_t)done;
    }
    return FIRN_OK;
}

// Version 2: signature 8, version 1, bytes of addresses 1, bytes of lengths 1, flags 1,
// base address 8, address of the extension 8, end 8, address of the root group 8, checksum 4
static firn_result read_superblock(firn_h5_input* in)
{
    uint8_t block[SUPERBLOCK_BYTES];
    FIRN_TRY(firn_h5_read_at(in, 0, block, sizeof block));
    firn_h5_bytes b = {block, sizeof block, false};
    const bool known = memcmp(firn_h5_take(&b, 8), "\x89HDF\r\n\x1a\n", 8) == 0 &&
                       firn_h5_number(&b, 3) == 0x080802;
    firn_h5_take(&b, 1);
    const uint64_t base = firn_h5_number(&b, 8), extension = firn_h5_number(&b, 8);
    firn_h5_take(&b, 8);
    in->root = firn_h5_number(&b, 8);
    if (!known || base != FIRN_SEAL_BYTES || extension != FIRN_H5_NOWHERE)
        return firn_h5_damaged(in, NULL, "its HDF5 superblock is not one that firn writes");
    return FIRN_OK;
}

firn_result firn_h5_open(firn_h5_input* out_input, const char* path, firn_seal_kind kind,
                         firn_error* error)
{
    FIRN_TRY(firn_seal_verify(path, kind, error));
    *out_input = (firn_h5_input){.path = path, .error = error};
    uint64_t bytes = 0;
    FIRN_TRY(firn_input_open(path, &out_input->file, &bytes, error));
    out_input->bytes = bytes > FIRN_SEAL_BYTES ? bytes - FIRN_SEAL_BYTES : 0;
    const firn_result result = read_superblock(out_input);
    return result == FIRN_OK ? FIRN_OK : firn_h5_close(out_input, result);
}

firn_result firn_h5_close(firn_h5_input* in, firn_result result)
{
    firn_h5_objects_forget(in);
    close(in->file);
    return in->failure != FIRN_OK ? in->failure : result;
}
