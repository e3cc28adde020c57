// SPDX-License-Identifier: MIT
// The window, through GLFW.
#include "viewer/window.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "viewer/input/controls.h"
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

struct view_window {
    GLFWwindow* glfw;
    view_session* session;  // receiver of events while polling
    bool repeating;         // the next character comes from a held key
};

static firn_result refuse(firn_error* error)
{
    const char* reason = NULL;
    glfwGetError(&reason);
    const char* display = getenv("DISPLAY");
    const char* wayland = getenv("WAYLAND_DISPLAY");
    const bool has_none = !(display && *display) && !(wayland && *wayland);
    error->code = FIRN_REFUSED_BACKEND;
    snprintf(error->text, sizeof error->text,
             "cannot open a window (%s): use --out picture.png for a picture without a window",
             has_none ? "DISPLAY is not set"
             : reason ? reason
                      : "the display refused it");
    return FIRN_REFUSED_BACKEND;
}

// ---- events -------------------------------------------------------------------------------------

static void dispatch(GLFWwindow* glfw, view_event event)
{
    const view_window* window = glfwGetWindowUserPointer(glfw);
    if (window->session) view_controls_event(window->session, &event);
}

// Converts GLFW's screen coordinates to pixels: they differ on high-density screens.
static void set_mouse_position(GLFWwindow* glfw, view_event* event)
{
    double x, y;
    int width, height, pixels_x, pixels_y;
    glfwGetCursorPos(glfw, &x, &y);
    glfwGetWindowSize(glfw, &width, &height);
    glfwGetFramebufferSize(glfw, &pixels_x, &pixels_y);
    event->x = width > 0 ? x * pixels_x / width : x;
    event->y = height > 0 ? y * pixels_y / height : y;
}

static void on_key(GLFWwindow* glfw, int key, int scancode, int action, int mods)
{
    (void)scancode, (void)mods;
    view_window* window = glfwGetWindowUserPointer(glfw);
    view_event e = {.kind = VIEW_EVENT_KEY, .repeat = action == GLFW_REPEAT};
    window->repeating = e.repeat;
    if (action == GLFW_RELEASE) return;
    switch (key) {
    case GLFW_KEY_ESCAPE: e.key = VIEW_KEY_ESCAPE; break;
    case GLFW_KEY_LEFT: e.key = VIEW_KEY_LEFT; break;
    case GLFW_KEY_RIGHT: e.key = VIEW_KEY_RIGHT; break;
    case GLFW_KEY_HOME: e.key = VIEW_KEY_HOME; break;
    case GLFW_KEY_END: e.key = VIEW_KEY_END; break;
    case GLFW_KEY_F12: e.key = VIEW_KEY_F12; break;
    case GLFW_KEY_BACKSPACE: e.key = VIEW_KEY_BACKSPACE; break;
    case GLFW_KEY_DELETE: e.key = VIEW_KEY_DELETE; break;
    case GLFW_KEY_KP_ENTER:
    case GLFW_KEY_ENTER: e.key = VIEW_KEY_ENTER; break;
    case GLFW_KEY_TAB: e.key = VIEW_KEY_TAB; break;
    default: return;  // printable keys arrive in on_character, independent of the keyboard layout
    }
    dispatch(glfw, e);
}

static void on_character(GLFWwindow* glfw, unsigned int character)
{
    const view_window* window = glfwGetWindowUserPointer(glfw);
    if (character > 126) return;
    const view_event e = {.kind = VIEW_EVENT_KEY,
                          .key = tolower((int)character),
                          .character = (int)character,
                          .repeat = window->repeating};
    dispatch(glfw, e);
}

static void on_button(GLFWwindow* glfw, int button, int action, int mods)
{
    if (button > GLFW_MOUSE_BUTTON_MIDDLE) return;
    view_event e = {.kind = action == GLFW_PRESS ? VIEW_EVENT_PRESS : VIEW_EVENT_RELEASE,
                    .button = button == GLFW_MOUSE_BUTTON_LEFT    ? VIEW_LEFT
                              : button == GLFW_MOUSE_BUTTON_RIGHT ? VIEW_RIGHT
                                                                  : VIEW_MIDDLE,
                    .shift = (mods & GLFW_MOD_SHIFT) != 0,
                    .control = (mods & GLFW_MOD_CONTROL) != 0};
    set_mouse_position(glfw, &e);
    dispatch(glfw, e);
}

static void on_move(GLFWwindow* glfw, double x, double y)
{
    (void)x, (void)y;
    view_event e = {.kind = VIEW_EVENT_MOVE};
    set_mouse_position(glfw, &e);
    dispatch(glfw, e);
}

static void on_scroll(GLFWwindow* glfw, double dx, double dy)
{
    (void)dx;
    view_event e = {.kind = VIEW_EVENT_SCROLL, .scroll = dy};
    set_mouse_position(glfw, &e);
    dispatch(glfw, e);
}

static void on_close(GLFWwindow* glfw)
{
    dispatch(glfw, (view_event){.kind = VIEW_EVENT_CLOSE});
}

// Requests a redraw.
static void on_refresh(GLFWwindow* glfw)
{
    const view_window* window = glfwGetWindowUserPointer(glfw);
    if (window->session) window->session->events++;
}

// ---- the window ---------------------------------------------------------------------------------

firn_result view_window_open(int width, int height, const char* title, view_window** out_window,
                             firn_error* error)
{
    view_window* window = calloc(1, sizeof *window);
    if (!window) return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory");
    if (!glfwInit()) {
        free(window);
        return refuse(error);
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);  // frames are rendered to textures first
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "firn");
    window->glfw = glfwCreateWindow(width, height, title, NULL, NULL);
    if (!window->glfw) {
        const firn_result r = refuse(error);
        view_window_close(window);
        return r;
    }
    glfwMakeContextCurrent(window->glfw);
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(window->glfw, window);
    glfwSetKeyCallback(window->glfw, on_key);
    glfwSetCharCallback(window->glfw, on_character);
    glfwSetMouseButtonCallback(window->glfw, on_button);
    glfwSetCursorPosCallback(window->glfw, on_move);
    glfwSetScrollCallback(window->glfw, on_scroll);
    glfwSetWindowCloseCallback(window->glfw, on_close);
    glfwSetWindowRefreshCallback(window->glfw, on_refresh);
    *out_window = window;
    return FIRN_OK;
}

void view_window_close(view_window* window)
{
    if (!window) return;
    if (window->glfw) glfwDestroyWindow(window->glfw);
    glfwTerminate();
    free(window);
}

void view_window_poll(view_window* window, view_session* s, double seconds)
{
    float scale_x = 1, scale_y = 1;
    int width, height;
    window->session = s;
    if (seconds > 0)
        glfwWaitEventsTimeout(seconds);
    else
        glfwPollEvents();
    window->session = NULL;
    glfwGetFramebufferSize(window->glfw, &width, &height);
    glfwGetWindowContentScale(window->glfw, &scale_x, &scale_y);
    if (width < 1 || height < 1) return;  // minimised
    if (width != s->width || height != s->height) s->events++;
    s->width = width;
    s->height = height;
    s->ui = view_session_ui(width, height, scale_y > 0 ? (double)scale_y : 1);
}

void view_window_show(view_window* window)
{
    glfwSwapBuffers(window->glfw);
}
