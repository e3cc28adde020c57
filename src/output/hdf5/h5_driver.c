// SPDX-License-Identifier: MIT
// A file driver for HDF5 that records the first I/O failure instead of returning it.
#include "output/hdf5/h5_driver.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

typedef struct access_info {
    firn_h5_fault* fault;
} access_info;

typedef struct driver_file {
    H5FD_t base;  // must come first: HDF5 uses it
    int file;
    haddr_t allocated, end;  // end of the address space in use; end of the file
    dev_t device;
    ino_t inode;
    bool writable;
    firn_h5_fault* fault;  // borrowed
} driver_file;

static void record(firn_h5_fault* fault, const char* what, int reason)
{
    if (fault->reason != 0) return;
    fault->reason = reason != 0 ? reason : EIO;
    fault->what = what;
}

static H5FD_t* driver_open(const char* name, unsigned flags, hid_t access, haddr_t max_address)
{
    (void)max_address;
    const access_info* info = H5Pget_driver_info(access);
    if (info == NULL) return NULL;
    int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
    if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
    if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC | O_NOFOLLOW;
    driver_file* f = firn_alloc(1, sizeof *f);
    *info->fault =
        (firn_h5_fault){0};  // HDF5 probes for an old file first: only the last attempt counts
    if (f == NULL) {
        record(info->fault, "open", ENOMEM);
        return NULL;
    }
    struct stat status;
    f->fault = info->fault;
    f->file = open(name, mode | O_CLOEXEC, 0666);
    if (f->file < 0 || fstat(f->file, &status) != 0) {
        record(info->fault, "open", errno);
        if (f->file >= 0) close(f->file);
        firn_free(f);
        return NULL;
    }
    f->end = (haddr_t)status.st_size;
    f->device = status.st_dev;
    f->inode = status.st_ino;
    f->writable = (flags & H5F_ACC_RDWR) != 0;
    return &f->base;
}

static herr_t driver_close(H5FD_t* base)
{
    driver_file* f = (driver_file*)base;
    if (close(f->file) != 0) record(f->fault, "close", errno);
    firn_free(f);
    return 0;
}

// Tells HDF5 whether two open files are the same one.
static int driver_compare(const H5FD_t* base_a, const H5FD_t* base_b)
{
    const driver_file *a = (const driver_file*)base_a, *b = (const driver_file*)base_b;
    if (a->device != b->device) return a->device < b->device ? -1 : 1;
    if (a->inode != b->inode) return a->inode < b->inode ? -1 : 1;
    return 0;
}

static herr_t driver_query(const H5FD_t* base, unsigned long* out_flags)
{
    const driver_file* f = (const driver_file*)base;
    *out_flags =
        H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
    // not when reading: forged addresses make HDF5 1.10 copy from a null pointer there
    if (f == NULL || f->writable) *out_flags |= H5FD_FEAT_ACCUMULATE_METADATA;
    return 0;
}

static haddr_t driver_allocated(const H5FD_t* base, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file*)base)->allocated;
}

static herr_t driver_set_allocated(H5FD_t* base, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((driver_file*)base)->allocated = address;
    return 0;
}

static haddr_t driver_end(const H5FD_t* base, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file*)base)->end;
}

// Reads zeros past the end of the file, as HDF5 expects.
static herr_t driver_read(H5FD_t* base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t size, void* buffer)
{
    (void)type, (void)transfer;
    driver_file* f = (driver_file*)base;
    char* to = buffer;
    while (size > 0) {
        const ssize_t done = pread(f->file, to, size, (off_t)address);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) {
            record(f->fault, "read", errno);
            return -1;
        }
        if (done == 0) break;
        to += done;
        size -= (size_t)done;
        address += (haddr_t)done;
    }
    memset(to, 0, size);
    return 0;
}

static herr_t driver_write(H5FD_t* base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                           size_t size, const void* buffer)
{
    (void)type, (void)transfer;
    driver_file* f = (driver_file*)base;
    const char* from = buffer;
    if (f->end < address + size) f->end = address + size;
    while (size > 0 && f->fault->reason == 0) {
        const ssize_t done = pwrite(f->file, from, size, (off_t)address);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            record(f->fault, "write", done < 0 ? errno : EIO);
            break;
        }
        from += done;
        size -= (size_t)done;
        address += (haddr_t)done;
    }
    return 0;
}

// Sets the size of the file to the end of its address space, even if nothing was written there.
static herr_t driver_truncate(H5FD_t* base, hid_t transfer, hbool_t closing)
{
    (void)transfer, (void)closing;
    driver_file* f = (driver_file*)base;
    if (f->allocated == f->end) return 0;
    if (f->fault->reason == 0 && ftruncate(f->file, (off_t)f->allocated) != 0)
        record(f->fault, "truncate", errno);
    f->end = f->allocated;
    return 0;
}

hid_t firn_h5_driver_register(void)
{
    const H5FD_class_t class = {
#if H5_VERSION_GE(1, 13, 0)
        .version = H5FD_CLASS_VERSION,
        .value = (H5FD_class_value_t)600,  // in the range for private drivers
#endif
        .name = "firn",
        .maxaddr = (haddr_t)INT64_MAX,
        .fc_degree = H5F_CLOSE_STRONG,  // no object that was left open keeps the file open
        .fapl_size = sizeof(access_info),
        .open = driver_open,
        .close = driver_close,
        .cmp = driver_compare,
        .query = driver_query,
        .get_eoa = driver_allocated,
        .set_eoa = driver_set_allocated,
        .get_eof = driver_end,
        .read = driver_read,
        .write = driver_write,
        .truncate = driver_truncate,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
    return H5FDregister(&class);
}

hid_t firn_h5_driver_access(hid_t driver, firn_h5_fault* fault)
{
    const access_info info = {fault};
    const hid_t access = driver < 0 ? -1 : H5Pcreate(H5P_FILE_ACCESS);
    const bool good = access >= 0 && H5Pset_driver(access, driver, &info) >= 0 &&
                      H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
                      H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0;
    if (good) return access;
    if (access >= 0) H5Pclose(access);
    return -1;
}
