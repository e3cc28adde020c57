// SPDX-License-Identifier: MIT
// Headless OpenGL through EGL: tries each device, graphics cards first, then Mesa's surfaceless
// platform, which can rasterize on the CPU.
#include "viewer/gl/headless.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "viewer/gl/gl_target.h"

#define DEVICES_MAX 16

struct view_headless {
    EGLDisplay display;
    EGLContext context;
    gl_target target;
};

static bool has_word(const char* words, const char* word)
{
    const size_t length = strlen(word);
    for (const char* at = words; at != NULL && (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

// Creates a surfaceless OpenGL 3.3 core context on the display and makes it current. Cleans up on
// failure.
static bool open_display(EGLDisplay display, EGLContext* out_context)
{
    EGLint major, minor;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor)) return false;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (has_word(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context") &&
        eglBindAPI(EGL_OPENGL_API) && eglChooseConfig(display, wanted, &config, 1, &count) &&
        count > 0) {
        const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
        if (context != EGL_NO_CONTEXT &&
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
            *out_context = context;
            return true;
        }
        if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    }
    eglTerminate(display);
    return false;
}

static bool open_any(view_headless* headless)
{
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    const PFNEGLQUERYDEVICESEXTPROC query_devices =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    if (get_display != NULL && query_devices != NULL &&
        has_word(extensions, "EGL_EXT_platform_device")) {
        EGLDeviceEXT devices[DEVICES_MAX];
        EGLint count = 0;
        if (!query_devices(DEVICES_MAX, devices, &count)) count = 0;
        for (EGLint d = 0; d < count; d++) {
            headless->display = get_display(EGL_PLATFORM_DEVICE_EXT, devices[d], NULL);
            if (open_display(headless->display, &headless->context)) return true;
        }
    }
    if (get_display != NULL && has_word(extensions, "EGL_MESA_platform_surfaceless")) {
        headless->display =
            get_display(EGL_PLATFORM_SURFACELESS_MESA, (void*)EGL_DEFAULT_DISPLAY, NULL);
        if (open_display(headless->display, &headless->context)) return true;
    }
    headless->display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    return open_display(headless->display, &headless->context);
}

bool view_headless_create(int width, int height, view_headless** out_headless, char* problem,
                          int problem_size)
{
    view_headless* headless = calloc(1, sizeof *headless);
    if (headless == NULL) {
        snprintf(problem, (size_t)problem_size, "out of memory");
        return false;
    }
    if (!open_any(headless)) {
        snprintf(problem, (size_t)problem_size,
                 "EGL offers no OpenGL 3.3 without a screen here: install a driver (Debian: "
                 "libegl1 and libgl1-mesa-dri, which also draw without a graphics card)");
        free(headless);
        return false;
    }
    const gl_target_def def = {{GL_RGBA8}, GL_DEPTH_COMPONENT24, GL_NEAREST};
    if (!gl_target_create(&headless->target, width, height, &def)) {
        snprintf(problem, (size_t)problem_size,
                 "the driver cannot create a framebuffer of %d x %d pixels: use a smaller size",
                 width, height);
        view_headless_destroy(headless);
        return false;
    }
    gl_target_bind(&headless->target);
    *out_headless = headless;
    return true;
}

void view_headless_destroy(view_headless* headless)
{
    if (headless == NULL) return;
    gl_target_destroy(&headless->target);
    eglMakeCurrent(headless->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(headless->display, headless->context);
    eglTerminate(headless->display);
    free(headless);
}
