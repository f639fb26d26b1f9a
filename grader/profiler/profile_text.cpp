#include "profiler/profile_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/quantity.h"
#include "base/visible.h"
#include "profiler/numbers.h"
#include "profiler/roofline.h"
#include "report/lines.h"

namespace lab {
namespace {

using profiles::ratio;
using profiles::real;
using vgpu::model::Gpu;

constexpr std::size_t kName = 34, kValue = 12, kBar = 18;

std::string bar(double share) {
    const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * kBar + 0.5);
    return std::string(full, '#') + std::string(kBar - full, '-');
}

std::string row_text(const ProfileRow& row) {
    std::string text = fmt::format("  {:<{}}{:>{}}  ", row.name, kName, row.value, kValue);
    text += row.share >= 0 ? bar(row.share) : std::string(kBar, ' ');
    text += std::string("  ") + (row.origin == Origin::set ? "" : to_string(row.origin));
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

/// Numbers end below each other, words begin below each other.
bool is_of_words(const ProfileTable& table, std::size_t column) {
    return column == 0 || std::ranges::all_of(table.rows, [&](const auto& row) {
               return !row[column].empty() &&
                      std::isalpha(static_cast<unsigned char>(row[column][0]));
           });
}

std::string table_text(const ProfileTable& table) {
    std::vector<std::string> lines(table.rows.size() + 1, " ");
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        std::size_t width = table.columns[column].size();
        for (const auto& row : table.rows) width = std::max(width, row[column].size());
        const auto add = [&](std::string& line, const std::string& cell) {
            line += is_of_words(table, column) ? fmt::format(" {:<{}} ", cell, width)
                                               : fmt::format(" {:>{}} ", cell, width);
        };
        add(lines.front(), table.columns[column]);
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            add(lines[row + 1], table.rows[row][column]);
    }
    std::string text;
    for (std::string& line : lines) {
        line.erase(line.find_last_not_of(' ') + 1);
        text += visible(line) + "\n";
    }
    return text;
}

std::string prose(const std::string& text, std::size_t indent, const TextStyle& style) {
    return joined(prose_lines(text, indent, style.width));
}

std::string section_text(const ProfileSection& section, const TextStyle& style) {
    std::string text = Painter(style)(Colour::strong, section.name) + "\n";
    for (const ProfileRow& row : section.rows) text += row_text(row);
    for (const ProfileTable& table : section.tables) text += table_text(table);
    for (const std::string& note : section.notes) text += prose(note, kIndent, style);
    return text;
}

std::string plural(double count, const char* thing) {
    return fmt::format("{} {}{}", count_text(count), thing, count == 1 ? "" : "s");
}

/// "tiled_kernel: 576 blocks of 256 threads, 88.8 us", and how that is part of more.
std::string kernel_line(const KernelProfile& kernel, double all_s) {
    std::string text = fmt::format(
        "{}: {} of {}, {}", visible(kernel.short_name()), plural(real(kernel.work.blocks), "block"),
        plural(real(kernel.threads_per_block()), "thread"), time_text(kernel.cost.seconds()));
    if (kernel.all.launches > 1)
        text += fmt::format(", the longest of {} launches", kernel.all.launches);
    const double share = ratio(kernel.all.seconds, all_s);
    if (share < 1) text += fmt::format(" ({} of the time of all kernels)", percent_text(share));
    return text;
}

double all_seconds(const Profile& profile) {
    double all_s = 0;
    for (const KernelProfile& kernel : profile.kernels) all_s += kernel.all.seconds;
    return all_s;
}

std::string advice_text(const KernelProfile& kernel, const Gpu& gpu, const TextStyle& style) {
    std::string text;
    int number = 0;
    for (const Advice& advice : advice_for(kernel, gpu)) {
        std::string heading = fmt::format("{}. {}", ++number, advice.title);
        if (advice.where.line > 0)
            heading += fmt::format("  ({}:{})",
                                   std::filesystem::path(advice.where.file).filename().string(),
                                   advice.where.line);
        const std::string gain =
            advice.speedup > 1.005 ? fmt::format("up to {:.1f}x", advice.speedup) : "";
        const std::size_t width = style.width > gain.size() ? style.width - gain.size() : 0;
        text += Painter(style)(Colour::strong, visible(heading));
        if (!gain.empty())
            text += std::string(width > heading.size() ? width - heading.size() : 1, ' ') + gain;
        text += "\n" + prose(visible(advice.text), kIndent + 1, style);
    }
    return text;
}

std::string heading(const Profile& profile, const Gpu& gpu, const TextStyle& style) {
    std::string text = Painter(style)(Colour::strong, visible(profile.title)) + "\n";
    text += prose(fmt::format("Times are modelled for {}; counts are exact for the PTX.{}{}",
                              gpu_name(gpu), profile.note.empty() ? "" : " ", profile.note),
                  0, style);
    return text;
}

std::string others_text(const Profile& profile, const TextStyle& style) {
    if (profile.kernels.size() < 2) return "";
    std::string text = "Other kernels: ";
    for (std::size_t i = 1; i < profile.kernels.size(); ++i)
        text +=
            fmt::format("{}{} ({})", i > 1 ? ", " : "", visible(profile.kernels[i].short_name()),
                        time_text(profile.kernels[i].all.seconds));
    return prose(text + ".", 0, style);
}

std::string roofline_text(const Profile& profile, const Gpu& gpu, const TextStyle& style,
                          const TextCanvas& canvas) {
    const Roofline roofline = roofline_of(profile.kernels, gpu);
    std::string text = Painter(style)(Colour::strong, "GPU Speed Of Light Roofline Chart") + "\n";
    if (roofline.points.empty())
        return text + prose("No kernel computes with floats or doubles.", kIndent, style);
    text += text_plot(roofline_table(roofline), "lines x=flops_per_byte y=gflops by=version log=xy",
                      canvas);
    for (const RooflinePoint& point : roofline.points)
        text +=
            prose(fmt::format(
                      "{}: {:.2f} {} operations for each byte of device memory, {} GFLOP/s; the "
                      "roof there is {} GFLOP/s, by {}.",
                      visible(point.name), point.flops_per_byte,
                      roofline.is_double ? "double" : "float", count_text(1e-9 * point.flops_per_s),
                      count_text(1e-9 * roofline.roof_at(point.flops_per_byte)),
                      point.flops_per_byte < roofline.ridge() ? "memory" : "arithmetic"),
                  kIndent, style);
    return text;
}

}  // namespace

std::string profile_screen(const Profile& profile, const Gpu& gpu, const TextStyle& style) {
    const KernelProfile& first = profile.kernels.front();
    std::string text = heading(profile, gpu, style);
    text += prose(kernel_line(first, all_seconds(profile)), 0, style) + "\n";
    const ProfileSection light = speed_of_light(first, gpu);
    for (const ProfileRow& row : light.rows)
        if (row.share >= 0) text += row_text(row);
    text += row_text(occupancy(first, gpu).rows.at(1)) + "\n";
    text += advice_text(first, gpu, style);
    return text + others_text(profile, style);
}

std::string profile_details(const Profile& profile, const Gpu& gpu, const TextStyle& style,
                            const TextCanvas& canvas) {
    std::string text = heading(profile, gpu, style);
    const double all_s = all_seconds(profile);
    for (const KernelProfile& kernel : profile.kernels) {
        text += "\n" + prose(kernel_line(kernel, all_s), 0, style);
        for (const ProfileSection& section : sections_of(kernel, gpu))
            text += "\n" + section_text(section, style);
        text += "\n" + Painter(style)(Colour::strong, "What to change first") + "\n";
        text += advice_text(kernel, gpu, style);
    }
    text += "\n" + roofline_text(profile, gpu, style, canvas);
    text += "\n" + Painter(style)(Colour::strong, "Not known here") + "\n";
    for (const std::string& sentence : not_known(profile.kernels.front()))
        text += prose(sentence, kIndent, style);
    return text;
}

}  // namespace lab
