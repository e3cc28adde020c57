// SPDX-License-Identifier: MIT
// Widgets of gui.h with Dear ImGui.
#include "viewer/gui/gui.h"

#include <imgui.h>

#include <math.h>
#include <stdio.h>

namespace {
const float NAME_SHARE = 0.43f;  // of the bar's width: column of names
const float FIELD_SHARE = 0.57f;

// The number that is being typed; one field at a time is active.
struct {
    ImGuiID id;
    double values[3];
} edit;
}  // namespace

extern "C" void gui_bar_begin(float x, float y, float width, float height)
{
    ImGui::SetNextWindowPos(ImVec2(x, y));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    ImGui::Begin("panels", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoNav);
}

extern "C" void gui_bar_end(void)
{
    ImGui::End();
}

extern "C" bool gui_section(const char* title, bool open)
{
    return ImGui::CollapsingHeader(title, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

extern "C" void gui_text(const char* text)
{
    ImGui::TextUnformatted(text);
}

extern "C" void gui_note(const char* text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
    ImGui::TextWrapped("%s", text);
    ImGui::PopStyleColor();
}

// The name to the left, the cursor at the column of values.
static void begin_row(const char* name)
{
    const float left = ImGui::GetCursorPosX(), width = ImGui::GetContentRegionAvail().x;
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", name);
    ImGui::SameLine(left + NAME_SHARE * width);
    ImGui::SetNextItemWidth(FIELD_SHARE * width);
}

extern "C" void gui_row(const char* name, const char* value)
{
    const float left = ImGui::GetCursorPosX(), width = ImGui::GetContentRegionAvail().x;
    ImGui::TextDisabled("%s", name);
    if (!value) return;
    ImGui::SameLine(left + NAME_SHARE * width);
    ImGui::TextUnformatted(value);
}

extern "C" void gui_row_numbers(const char* name, const double values[3])
{
    const float room = FIELD_SHARE * ImGui::GetContentRegionAvail().x;
    char text[96];
    for (int digits = 3; digits > 0; digits--) {
        snprintf(text, sizeof text, "%.*g  %.*g  %.*g", digits, values[0], digits, values[1],
                 digits, values[2]);
        if (ImGui::CalcTextSize(text).x <= room) break;
    }
    gui_row(name, text);
}

extern "C" void gui_space(void)
{
    ImGui::Spacing();
}

extern "C" void gui_beside(void)
{
    ImGui::SameLine();
}

static void show_hint(const char* hint)
{
    if (hint && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", hint);
}

extern "C" bool gui_button(const char* label, double width, const char* hint)
{
    const ImGuiStyle& style = ImGui::GetStyle();
    const float bar = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
    const float w =
        width > 0 ? (float)width * (bar + style.ItemSpacing.x) - style.ItemSpacing.x : 0;
    const bool clicked = ImGui::Button(label, ImVec2(w, 0));
    show_hint(hint);
    return clicked;
}

extern "C" bool gui_check(const char* label, bool* value, const char* hint)
{
    const bool changed = ImGui::Checkbox(label, value);
    show_hint(hint);
    return changed;
}

extern "C" bool gui_choice(const char* label, const char* const* items, int count, int* chosen)
{
    begin_row(label);
    ImGui::PushID(label);
    const bool changed = ImGui::Combo("##choice", chosen, items, count, 12);
    ImGui::PopID();
    return changed;
}

extern "C" bool gui_slider(const char* label, double* value, double low, double high,
                           bool logarithmic, const char* format)
{
    const ImGuiSliderFlags flags =
        ImGuiSliderFlags_AlwaysClamp | (logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    begin_row(label);
    ImGui::PushID(label);
    const bool changed =
        ImGui::SliderScalar("##slider", ImGuiDataType_Double, value, &low, &high, format, flags);
    ImGui::PopID();
    return changed;
}

// Fields report a number when its edit is finished, not with every digit.
static bool edit_numbers(const char* label, double* values, int count, const char* format)
{
    begin_row(label);
    ImGui::PushID(label);
    const ImGuiID id = ImGui::GetID("##number");
    double shown[3];
    for (int k = 0; k < count; k++) shown[k] = edit.id == id ? edit.values[k] : values[k];
    ImGui::InputScalarN("##number", ImGuiDataType_Double, shown, count, nullptr, nullptr, format,
                        ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CharsScientific);
    ImGui::PopID();
    if (ImGui::IsItemActive()) {
        edit.id = id;
        for (int k = 0; k < count; k++) edit.values[k] = shown[k];
        return false;
    }
    if (edit.id != id) return false;
    edit.id = 0;
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) return false;
    bool changed = false;
    for (int k = 0; k < count; k++) {
        changed = changed || edit.values[k] != values[k];
        values[k] = edit.values[k];
    }
    return changed;
}

extern "C" bool gui_number(const char* label, double* value, const char* format)
{
    return edit_numbers(label, value, 1, format);
}

extern "C" bool gui_numbers(const char* label, double values[3], const char* format)
{
    return edit_numbers(label, values, 3, format);
}

extern "C" bool gui_word(const char* label, char* text, size_t size)
{
    begin_row(label);
    ImGui::PushID(label);
    ImGui::InputText("##word", text, size, ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopID();
    return ImGui::IsItemDeactivatedAfterEdit();
}

extern "C" void gui_colours(void (*colour)(const void* user, float at, float out[3]),
                            const void* user)
{
    const int steps = 96;
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetFontSize();
    for (int k = 0; k < steps; k++) {
        float c[3];
        colour(user, ((float)k + 0.5f) / (float)steps, c);
        const float a = floorf(from.x + width * (float)k / (float)steps);
        const float b = floorf(from.x + width * (float)(k + 1) / (float)steps);
        ImGui::GetWindowDrawList()->AddRectFilled(
            ImVec2(a, from.y), ImVec2(b, from.y + height),
            ImGui::ColorConvertFloat4ToU32(ImVec4(c[0], c[1], c[2], 1)));
    }
    ImGui::Dummy(ImVec2(width, height));
}
