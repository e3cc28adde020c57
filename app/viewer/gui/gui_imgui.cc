// SPDX-License-Identifier: MIT
// Dear ImGui 1.86 behind gui.h: context, input, fonts, triangles. No backend of ImGui's own: events
// and drawing are those of the viewer, so that a window, a headless session and a test behave
// alike.
#include "viewer/gui/gui.h"

#include <imgui.h>
#include <new>

#include <stdlib.h>
#include <string.h>

static_assert(sizeof(ImDrawVert) == sizeof(view_gui_vertex), "same layout of vertices");
static_assert(sizeof(ImDrawIdx) == 2, "16-bit indices");

namespace {
const float FONT_PIXELS = 15;   // at scale 1
const float FRAME = 1.0f / 60;  // [s] longest time between two updates that ImGui sees
}  // namespace

struct gui {
    ImGuiContext* context;
    ImVector<view_event> queue;
    ImVector<int> pressed;  // keys to release with the next frame
    char* font;
    float scale;
    uint64_t glyph_version;
    ImVector<view_gui_list> lists;
    ImVector<view_gui_command> commands;
    view_gui triangles;
    bool has_triangles;
};

// ---- look -----------------------------------------------------------------------------------

static void set_colours(ImGuiStyle* style)
{
    const ImVec4 face(0.16f, 0.22f, 0.30f, 1), bright(0.24f, 0.36f, 0.50f, 1);
    const ImVec4 accent(0.42f, 0.74f, 1.0f, 1);
    ImVec4* c = style->Colors;
    ImGui::StyleColorsDark(style);
    c[ImGuiCol_WindowBg] = ImVec4(0.05f, 0.08f, 0.12f, 0.88f);
    c[ImGuiCol_PopupBg] = ImVec4(0.07f, 0.10f, 0.15f, 0.98f);
    c[ImGuiCol_Border] = ImVec4(1, 1, 1, 0.10f);
    c[ImGuiCol_Text] = ImVec4(0.93f, 0.95f, 0.97f, 1);
    c[ImGuiCol_TextDisabled] = ImVec4(0.62f, 0.69f, 0.76f, 1);
    c[ImGuiCol_FrameBg] = ImVec4(0.12f, 0.17f, 0.23f, 1);
    c[ImGuiCol_FrameBgHovered] = face;
    c[ImGuiCol_FrameBgActive] = ImVec4(0.20f, 0.28f, 0.38f, 1);
    c[ImGuiCol_Button] = c[ImGuiCol_Header] = face;
    c[ImGuiCol_ButtonHovered] = c[ImGuiCol_HeaderHovered] = bright;
    c[ImGuiCol_ButtonActive] = c[ImGuiCol_HeaderActive] = ImVec4(0.30f, 0.48f, 0.66f, 1);
    c[ImGuiCol_CheckMark] = accent;
    // the value stands on the grab: dark enough to read it
    c[ImGuiCol_SliderGrab] = ImVec4(0.20f, 0.42f, 0.62f, 1);
    c[ImGuiCol_SliderGrabActive] = ImVec4(0.26f, 0.52f, 0.75f, 1);
}

static void set_style(float scale)
{
    ImGuiStyle style;
    set_colours(&style);
    style.WindowRounding = 6;
    style.FrameRounding = style.GrabRounding = style.PopupRounding = 3;
    style.WindowPadding = ImVec2(10, 10);
    style.FramePadding = ImVec2(6, 3);
    style.ItemSpacing = ImVec2(7, 5);
    style.ItemInnerSpacing = ImVec2(6, 4);
    style.ScrollbarSize = 10;
    style.WindowBorderSize = 1;
    style.AntiAliasedLinesUseTex = false;
    style.ScaleAllSizes(scale);
    ImGui::GetStyle() = style;
}

// Rebuilds the glyphs for a scale: drawn at their size, they stay sharp on every screen.
static void set_scale(gui* g, float scale)
{
    if (scale == g->scale) return;
    g->scale = scale;
    set_style(scale);
    ImFontAtlas* fonts = ImGui::GetIO().Fonts;
    fonts->Clear();
    ImFontConfig config;
    config.SizePixels = FONT_PIXELS * scale;
    config.OversampleH = 2;
    config.PixelSnapH = true;
    if (!g->font || !fonts->AddFontFromFileTTF(g->font, config.SizePixels, &config))
        fonts->AddFontDefault(&config);
    unsigned char* pixels;
    int width, height;
    fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    g->triangles.glyphs = pixels;
    g->triangles.glyph_width = width;
    g->triangles.glyph_height = height;
    g->triangles.glyph_version = ++g->glyph_version;
}

// ---- life -----------------------------------------------------------------------------------

extern "C" gui* gui_create(const char* font)
{
    IMGUI_CHECKVERSION();
    gui* g = new (std::nothrow) gui();
    if (!g) return nullptr;
    g->context = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // no files of ImGui's own
    io.LogFilename = nullptr;
    io.ConfigInputTextCursorBlink = false;  // a still picture while nothing happens
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    const int keys[][2] = {
        {ImGuiKey_Escape, VIEW_KEY_ESCAPE},    {ImGuiKey_LeftArrow, VIEW_KEY_LEFT},
        {ImGuiKey_RightArrow, VIEW_KEY_RIGHT}, {ImGuiKey_Home, VIEW_KEY_HOME},
        {ImGuiKey_End, VIEW_KEY_END},          {ImGuiKey_Backspace, VIEW_KEY_BACKSPACE},
        {ImGuiKey_Delete, VIEW_KEY_DELETE},    {ImGuiKey_Enter, VIEW_KEY_ENTER},
        {ImGuiKey_Tab, VIEW_KEY_TAB}};
    static_assert(VIEW_KEY_LAST < 512, "ImGui has room for 512 keys");
    for (const auto& key : keys) io.KeyMap[key[0]] = key[1];
    g->font = font ? strdup(font) : nullptr;
    return g;
}

extern "C" void gui_destroy(gui* g)
{
    if (!g) return;
    ImGui::DestroyContext(g->context);
    free(g->font);
    delete g;
}

// ---- input ----------------------------------------------------------------------------------

extern "C" void gui_event(gui* g, const view_event* event)
{
    g->queue.push_back(*event);
}

// True: a button or a key has changed, which ImGui must see in a frame of its own.
static bool apply(gui* g, const view_event& e)
{
    ImGuiIO& io = ImGui::GetIO();
    static const int buttons[] = {0, 1, 2};  // left, right, middle
    if (e.kind != VIEW_EVENT_KEY && e.kind != VIEW_EVENT_CLOSE)
        io.MousePos = ImVec2((float)e.x, (float)e.y);
    switch (e.kind) {
    case VIEW_EVENT_PRESS: io.MouseDown[buttons[e.button]] = true; return true;
    case VIEW_EVENT_RELEASE: io.MouseDown[buttons[e.button]] = false; return true;
    case VIEW_EVENT_SCROLL: io.MouseWheel += (float)e.scroll; return false;
    case VIEW_EVENT_KEY:
        if (e.key >= VIEW_KEY_ESCAPE) {
            io.KeysDown[e.key] = true;
            g->pressed.push_back(e.key);
            return true;
        }
        if (e.character > 0) io.AddInputCharacter((unsigned)e.character);
        return true;
    default: return false;
    }
}

static void take_input(gui* g)
{
    ImGuiIO& io = ImGui::GetIO();
    for (int key : g->pressed) io.KeysDown[key] = false;
    g->pressed.clear();
    int used = 0;
    bool changed = false;
    while (used < g->queue.Size && !changed) changed = apply(g, g->queue[used++]);
    if (used > 0) g->queue.erase(g->queue.begin(), g->queue.begin() + used);
}

extern "C" bool gui_wants_mouse(const gui* g)
{
    (void)g;
    return ImGui::GetIO().WantCaptureMouse;
}

extern "C" bool gui_wants_text(const gui* g)
{
    (void)g;
    return ImGui::GetIO().WantTextInput;
}

// ---- output ---------------------------------------------------------------------------------

static void gather(gui* g)
{
    const ImDrawData* data = ImGui::GetDrawData();
    g->lists.clear();
    g->commands.clear();
    int total = 0;
    for (int k = 0; k < data->CmdListsCount; k++) total += data->CmdLists[k]->CmdBuffer.Size;
    g->commands.reserve(total);  // so that pointers into it stay
    for (int k = 0; k < data->CmdListsCount; k++) {
        const ImDrawList* from = data->CmdLists[k];
        view_gui_list to = {};
        to.vertices = reinterpret_cast<const view_gui_vertex*>(from->VtxBuffer.Data);
        to.vertex_count = from->VtxBuffer.Size;
        to.indices = from->IdxBuffer.Data;
        to.index_count = from->IdxBuffer.Size;
        to.commands = g->commands.Data + g->commands.Size;
        for (const ImDrawCmd& c : from->CmdBuffer) {
            const view_gui_command command = {c.ClipRect.x,    c.ClipRect.y,     c.ClipRect.z,
                                              c.ClipRect.w,    (int)c.IdxOffset, (int)c.ElemCount,
                                              (int)c.VtxOffset};
            g->commands.push_back(command);
            to.command_count++;
        }
        g->lists.push_back(to);
    }
    g->triangles.lists = g->lists.Data;
    g->triangles.list_count = g->lists.Size;
    g->has_triangles = true;
}

extern "C" void gui_update(gui* g, int width, int height, double scale, double seconds,
                           gui_build_fn build, void* user)
{
    ImGuiIO& io = ImGui::GetIO();
    set_scale(g, (float)scale);
    io.DisplaySize = ImVec2((float)width, (float)height);
    io.DeltaTime = seconds > 1e-4 ? (seconds < FRAME ? (float)seconds : FRAME) : 1e-4f;
    // one frame more than the queue needs: what a click changes is seen in the next
    const int frames = g->queue.Size > 0 || !g->has_triangles ? 1 : 0;
    for (int more = frames; more >= 0 || g->queue.Size > 0 || g->pressed.Size > 0; more--) {
        take_input(g);
        ImGui::NewFrame();
        build(user);
        ImGui::Render();
    }
    gather(g);
}

extern "C" const view_gui* gui_triangles(const gui* g)
{
    return g->has_triangles ? &g->triangles : nullptr;
}
