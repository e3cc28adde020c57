// SPDX-License-Identifier: MIT
// 8-bit images, and their PNG files through libpng. libpng reports errors by longjmp: the functions
// that call setjmp own no other resources, so none leak.
#include "render/image/image.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "core/draft.h"
#include "core/input.h"
#include "core/memory.h"
#include "core/png_bounds.h"

firn_result firn_image_create(firn_image* image, int32_t width, int32_t height, firn_error* error)
{
    *image = (firn_image){0};
    if (width < 1 || height < 1 || width > FIRN_IMAGE_SIDE_MAX || height > FIRN_IMAGE_SIDE_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a picture of %d x %d pixels cannot be made: each side must be 1 to %d",
                         (int)width, (int)height, FIRN_IMAGE_SIDE_MAX);
    image->rgb = firn_alloc((size_t)width * (size_t)height, 3);
    if (image->rgb == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "no memory for a picture of %d x %d pixels: make it smaller", (int)width,
                         (int)height);
    image->width = width;
    image->height = height;
    return FIRN_OK;
}

void firn_image_destroy(firn_image* image)
{
    firn_free(image->rgb);
    *image = (firn_image){0};
}

#define NOTE_MAX ((png_alloc_size_t)1 << 20)  // [bytes] of a text field, unpacked
#define NOTES_MAX 64                          // fields of a file

// State of libpng's callbacks: error message and jump target.
typedef struct png_job {
    jmp_buf jump;
    char message[160];   // of the first error
    bool out_of_memory;  // the error was a failed allocation
    uint64_t bytes;      // of the file, when reading; 0: writing
} png_job;

static void on_png_error(png_structp png, png_const_charp message)
{
    png_job* job = png_get_error_ptr(png);
    if (job->message[0] == '\0') snprintf(job->message, sizeof job->message, "%s", message);
    longjmp(job->jump, 1);
}

static void on_png_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;  // libpng continues after warnings
}

// libpng and zlib allocate through core/memory.h, so their memory is counted and capped, and tests
// can make it fail.
static png_voidp png_take(png_structp png, png_alloc_size_t bytes)
{
    png_job* job = png_get_mem_ptr(png);
    if (job->bytes > 0 && !firn_png_block_fits(bytes, job->bytes)) return NULL;
    void* block = firn_alloc(bytes, 1);
    if (block == NULL) job->out_of_memory = true;
    return block;
}

static void png_give(png_structp png, png_voidp block)
{
    (void)png;
    firn_free(block);
}

// A picture to write.
typedef struct png_content {
    const firn_image* image;
    int effort;
    png_text* texts;  // borrowed
    int text_count;
} png_content;

// False after an error; `job` then says which. The caller destroys `png`.
static bool write_rows(png_structp png, png_infop info, png_job* job, FILE* file,
                       const png_content* content)
{
    const firn_image* image = content->image;
    if (setjmp(job->jump) != 0) return false;
    png_init_io(png, file);
    png_set_compression_level(png, content->effort);
    // one filter for all rows: choosing per row takes longer than the smaller file is worth
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    if (content->text_count > 0) png_set_text(png, info, content->texts, content->text_count);
    png_write_info(png, info);
    for (int32_t row = 0; row < image->height; row++)
        png_write_row(png, image->rgb + (size_t)row * (size_t)image->width * 3);
    png_write_end(png, NULL);
    return true;
}

static firn_result fail_png(const char* verb, const char* path, const png_job* job, int code,
                            firn_result result, firn_error* error)
{
    if (job->out_of_memory || job->message[0] == '\0')
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory to %s the picture '%s'", verb, path);
    return firn_fail(error, result, "cannot %s the picture '%s': %s%s%s", verb, path, job->message,
                     code != 0 ? ": " : "", code != 0 ? strerror(code) : "");
}

static firn_result write_file(FILE* file, const char* path, const png_content* content,
                              firn_error* error)
{
    png_job job = {0};
    errno = 0;
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &job, on_png_error,
                                                on_png_warning, &job, png_take, png_give);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    const bool good = info != NULL && write_rows(png, info, &job, file, content);
    const int code = errno;
    png_destroy_write_struct(&png, &info);
    return good ? FIRN_OK : fail_png("write", path, &job, code, FIRN_REFUSED_IO, error);
}

static firn_result write_png(const char* path, const png_content* content, firn_error* error)
{
    firn_draft draft;
    FIRN_TRY(firn_draft_create(path, &draft, error));
    FILE* file = firn_draft_stream(&draft);
    firn_result result = file != NULL ? write_file(file, path, content, error) : FIRN_REFUSED_IO;
    if (file == NULL || (fclose(file) != 0 && result == FIRN_OK))
        result = firn_fail(error, FIRN_REFUSED_IO, "cannot write '%s': %s", path, strerror(errno));
    return firn_draft_commit(&draft, result, error);
}

firn_result firn_png_write(const char* path, const firn_image* image, int effort, firn_error* error)
{
    return write_png(path, &(png_content){.image = image, .effort = effort}, error);
}

firn_result firn_png_write_noted(const char* path, const firn_image* image, int effort,
                                 const firn_png_note* notes, int note_count, firn_error* error)
{
    png_text* texts = firn_alloc((size_t)note_count + 1, sizeof *texts);
    if (texts == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory to write the picture '%s'", path);
    for (int k = 0; k < note_count; k++)  // png_set_text copies the strings
        texts[k] = (png_text){.compression = PNG_ITXT_COMPRESSION_NONE,
                              .key = (char*)(uintptr_t)notes[k].name,
                              .text = (char*)(uintptr_t)notes[k].value,
                              .itxt_length = strlen(notes[k].value)};
    const png_content content = {image, effort, texts, note_count};
    const firn_result result = write_png(path, &content, error);
    firn_free(texts);
    return result;
}

// Reads header and size; the caller then creates the image outside the setjmp scope.
static bool read_header(png_structp png, png_infop info, png_job* job, FILE* file)
{
    if (setjmp(job->jump) != 0) return false;
    png_set_user_limits(png, FIRN_IMAGE_SIDE_MAX, FIRN_IMAGE_SIDE_MAX);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER,
                                (png_const_bytep)FIRN_PNG_UNUSED_CHUNKS, FIRN_PNG_UNUSED_COUNT);
    png_init_io(png, file);
    png_read_info(png, info);
    if (!firn_png_pixels_fit(png_get_image_width(png, info), png_get_image_height(png, info),
                             job->bytes))
        png_error(png, "it claims more pixels than its size can hold");
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_strip_alpha(png);
    png_set_gray_to_rgb(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    return true;
}

static bool read_rows(png_structp png, png_infop info, png_job* job, const firn_image* image)
{
    if (setjmp(job->jump) != 0) return false;
    if (png_get_rowbytes(png, info) != (size_t)image->width * 3) png_error(png, "unknown format");
    const int passes = png_get_interlace_type(png, info) == PNG_INTERLACE_ADAM7 ? 7 : 1;
    for (int pass = 0; pass < passes; pass++)
        for (int32_t row = 0; row < image->height; row++)
            png_read_row(png, image->rgb + (size_t)row * (size_t)image->width * 3, NULL);
    png_read_end(png, NULL);
    return true;
}

static firn_result read_file(FILE* file, uint64_t bytes, const char* path, firn_image* image,
                             firn_error* error)
{
    png_job job = {.bytes = bytes};
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &job, on_png_error,
                                               on_png_warning, &job, png_take, png_give);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    firn_result result = FIRN_OK;
    bool good = info != NULL && read_header(png, info, &job, file);
    if (good)
        result = firn_image_create(image, (int32_t)png_get_image_width(png, info),
                                   (int32_t)png_get_image_height(png, info), error);
    if (good && result == FIRN_OK) good = read_rows(png, info, &job, image);
    png_destroy_read_struct(&png, &info, NULL);
    if (!good) result = fail_png("read", path, &job, 0, FIRN_REFUSED_DAMAGED, error);
    return result;
}

// Closes `file`.
static firn_result read_and_close(FILE* file, uint64_t bytes, const char* path,
                                  firn_image* out_image, firn_error* error)
{
    firn_image image = {0};
    const firn_result result = read_file(file, bytes, path, &image, error);
    fclose(file);
    if (result == FIRN_OK)
        *out_image = image;
    else
        firn_image_destroy(&image);
    return result;
}

firn_result firn_png_read(const char* path, firn_image* out_image, firn_error* error)
{
    FILE* file = NULL;
    uint64_t bytes = 0;
    FIRN_TRY(firn_input_stream(path, &file, &bytes, error));
    return read_and_close(file, bytes, path, out_image, error);
}

firn_result firn_png_parse(const char* name, const void* bytes, size_t size, firn_image* out_image,
                           firn_error* error)
{
    FILE* file = size > 0 ? fmemopen((void*)(uintptr_t)bytes, size, "rb") : NULL;
    if (file == NULL)
        return firn_fail(error, size > 0 ? FIRN_BROKEN_MEMORY : FIRN_REFUSED_DAMAGED,
                         "cannot read the picture '%s': %s", name,
                         size > 0 ? strerror(errno) : "it is empty");
    return read_and_close(file, size, name, out_image, error);
}

static bool read_info(png_structp png, png_infop info, png_job* job, FILE* file)
{
    if (setjmp(job->jump) != 0) return false;
    png_set_user_limits(png, FIRN_IMAGE_SIDE_MAX, FIRN_IMAGE_SIDE_MAX);
    png_set_chunk_malloc_max(png, NOTE_MAX);
    png_set_chunk_cache_max(png, NOTES_MAX);
    png_init_io(png, file);
    png_read_info(png, info);
    return true;
}

static firn_result copy_note(png_structp png, png_infop info, const char* name, char** out_value)
{
    png_textp texts = NULL;
    int count = 0;
    png_get_text(png, info, &texts, &count);
    *out_value = NULL;
    for (int k = 0; k < count; k++) {
        if (strcmp(texts[k].key, name) != 0) continue;
        *out_value = firn_strdup(texts[k].text != NULL ? texts[k].text : "");
        return *out_value != NULL ? FIRN_OK : FIRN_BROKEN_MEMORY;
    }
    return FIRN_OK;
}

firn_result firn_png_read_note(const char* path, const char* name, char** out_value,
                               firn_error* error)
{
    FILE* file = NULL;
    png_job job = {0};
    FIRN_TRY(firn_input_stream(path, &file, &job.bytes, error));
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &job, on_png_error,
                                               on_png_warning, &job, png_take, png_give);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    const bool good = info != NULL && read_info(png, info, &job, file);
    firn_result result = FIRN_OK;
    if (!good || job.out_of_memory)  // libpng skips a text field if its allocation fails
        result = fail_png("read", path, &job, 0, FIRN_REFUSED_DAMAGED, error);
    else if (copy_note(png, info, name, out_value) != FIRN_OK)
        result = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory to read the picture '%s'", path);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    return result;
}
