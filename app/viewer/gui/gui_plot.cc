// SPDX-License-Identifier: MIT
// Plots over time.
#include "viewer/gui/gui.h"

#include <imgui.h>

#include <math.h>
#include <stdio.h>

namespace {
const float LINES = 5;  // height of a plot in lines of text

struct range {
    double low, high;
};
}  // namespace

static range range_of(const gui_plot_def* d)
{
    range r = {INFINITY, -INFINITY};
    for (int s = 0; s < d->series_count; s++)
        for (int k = 0; k < d->count; k++) {
            const double v = d->series[s].values[k];
            if (!isfinite(v)) continue;
            r.low = fmin(r.low, v);
            r.high = fmax(r.high, v);
        }
    if (d->from_zero) {
        r.low = fmin(r.low, 0);
        r.high = fmax(r.high, 0);
    }
    if (!(r.high > r.low)) {
        const double middle = isfinite(r.low) ? r.low : 0, half = fmax(0.5 * fabs(middle), 0.5);
        r = {d->from_zero ? fmin(0, middle) : middle - half, middle + half};
    }
    return r;
}

static ImU32 colour_of(const gui_series* s, float opacity)
{
    return ImGui::ColorConvertFloat4ToU32(
        ImVec4(s->colour[0], s->colour[1], s->colour[2], opacity));
}

// One vertical stroke per pixel column, from the least to the largest value in it: peaks of a step
// are not lost however many steps there are.
static void draw_series(const gui_plot_def* d, const gui_series* s, ImVec2 from, ImVec2 size,
                        range y)
{
    ImDrawList* list = ImGui::GetWindowDrawList();
    const double begin = d->times[0], length = d->times[d->count - 1] - begin;
    const ImU32 colour = colour_of(s, 1);
    bool has_last = false;
    ImVec2 last;
    for (int k = 0; k < d->count;) {
        const double share = length > 0 ? (d->times[k] - begin) / length : 1;
        const float x = from.x + size.x * (float)share;
        double low = INFINITY, high = -INFINITY, newest = NAN;
        for (; k < d->count; k++) {
            const double at = length > 0 ? (d->times[k] - begin) / length : 1;
            if (from.x + size.x * (float)at >= floorf(x) + 1) break;
            newest = s->values[k];
            low = fmin(low, newest);
            high = fmax(high, newest);
        }
        if (!isfinite(newest)) {
            has_last = false;
            continue;
        }
        const float scale = size.y / (float)(y.high - y.low), bottom = from.y + size.y;
        const ImVec2 top(x, bottom - (float)(high - y.low) * scale);
        const ImVec2 foot(x, bottom - (float)(low - y.low) * scale);
        const ImVec2 now(x, bottom - (float)(newest - y.low) * scale);
        if (has_last) list->AddLine(last, now, colour, 1.5f);
        if (foot.y - top.y > 1) list->AddLine(top, foot, colour, 1);
        last = now;
        has_last = true;
    }
}

// "kinetic 1.25 J" in the colour of its line.
static void draw_values(const gui_plot_def* d)
{
    for (int s = 0; s < d->series_count; s++) {
        double now = NAN;
        for (int k = 0; k < d->count; k++) {
            if (d->times[k] > d->now + 1e-9) break;
            if (isfinite(d->series[s].values[k])) now = d->series[s].values[k];
        }
        char text[96];
        if (isfinite(now))
            snprintf(text, sizeof text, d->series_count > 1 ? "%s %.2g" : "%s %.3g",
                     d->series[s].label, now);
        else
            snprintf(text, sizeof text, "%s -", d->series[s].label);
        if (s > 0) ImGui::SameLine();
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(colour_of(&d->series[s], 1)), "%s", text);
    }
}

// Text over the lines, readable on all of them.
static void draw_label(ImVec2 at, const char* text)
{
    const ImVec2 size = ImGui::CalcTextSize(text);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(at.x - 2, at.y), ImVec2(at.x + size.x + 2, at.y + size.y),
                        ImGui::GetColorU32(ImGuiCol_FrameBg, 0.75f), 2);
    list->AddText(at, ImGui::GetColorU32(ImGuiCol_TextDisabled), text);
}

extern "C" void gui_plot(const gui_plot_def* d)
{
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float line = ImGui::GetFontSize();
    char text[96];
    snprintf(text, sizeof text, *d->unit ? "%s [%s]" : "%s", d->title, d->unit);
    ImGui::TextUnformatted(text);
    if (d->series_count == 1 && d->count > 0) ImGui::SameLine();
    if (d->count > 0) draw_values(d);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const ImVec2 size(ImGui::GetContentRegionAvail().x, LINES * line);
    const ImVec2 to(from.x + size.x, from.y + size.y);
    list->AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_FrameBg), 3);
    ImGui::Dummy(size);
    if (d->count < 2) {
        list->AddText(ImVec2(from.x + 6, from.y + 0.5f * (size.y - line)),
                      ImGui::GetColorU32(ImGuiCol_TextDisabled), "no values yet");
        return;
    }
    const range y = range_of(d);
    const float pad = 0.25f * line;
    const ImVec2 inner(from.x + pad, from.y + pad);
    const ImVec2 room(size.x - 2 * pad, size.y - 2 * pad - line);  // times are below
    list->PushClipRect(from, to, true);
    const float zero = inner.y + room.y * (float)(y.high / (y.high - y.low));
    if (y.low < 0 && y.high > 0)
        list->AddLine(ImVec2(inner.x, zero), ImVec2(inner.x + room.x, zero), 0x30ffffff);
    for (int s = 0; s < d->series_count; s++) draw_series(d, &d->series[s], inner, room, y);
    const double begin = d->times[0], end = d->times[d->count - 1];
    if (isfinite(d->now) && d->now >= begin && d->now < end) {
        const float x = inner.x + room.x * (float)((d->now - begin) / (end - begin));
        list->AddLine(ImVec2(x, from.y), ImVec2(x, to.y), 0x80ffffff);
    }
    snprintf(text, sizeof text, "%.3g", y.high);
    draw_label(ImVec2(inner.x + 2, from.y + 1), text);
    snprintf(text, sizeof text, "%.3g", y.low);
    draw_label(ImVec2(inner.x + 2, to.y - line - 1), text);
    snprintf(text, sizeof text, "%.3g s", end);
    draw_label(ImVec2(to.x - pad - 2 - ImGui::CalcTextSize(text).x, to.y - line - 1), text);
    list->PopClipRect();
}
