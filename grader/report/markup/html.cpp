#include "report/markup/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "base/base64.h"
#include "base/failure.h"
#include "base/visible.h"
#include "report/markup/number.h"
#include "report/markup/style_sheet.h"

namespace lab {
namespace {

std::string escaped(std::string_view text) {
    std::string html;
    html.reserve(text.size());
    for (const char c : text) {
        switch (c) {
            case '&':
                html += "&amp;";
                break;
            case '<':
                html += "&lt;";
                break;
            case '>':
                html += "&gt;";
                break;
            case '"':
                html += "&quot;";
                break;
            case '\'':
                html += "&#39;";
                break;
            default:
                html += c;
        }
    }
    return html;
}

bool is_path_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("._-/#").find(c) != std::string_view::npos;
}

/// gnuplot draws black on white; a dark page needs light lines on its own colour.
constexpr std::string_view kSvgStyle =
    "<style>@media (prefers-color-scheme:dark){#gnuplot_canvas>rect{fill:none}text{fill:#d7dbe0}"
    "[color=\"black\"]{color:#aeb4bb}[stroke=\"black\"]{stroke:#aeb4bb}"
    "[stroke=\"rgb(221, 221, 221)\"]{stroke:#39414b}"
    "[stroke=\"rgb(255, 255, 255)\"]{stroke:none}[fill=\"rgb( 31, 111, 178)\"]{fill:#5aa2dd}}"
    "</style>";

}  // namespace

Html& Html::operator+=(const Html& more) {
    markup_ += more.markup_;
    return *this;
}

Html text_html(std::string_view text) {
    Html html;
    html.markup_ = escaped(visible(text));
    return html;
}

Html name_html(std::string_view name) {
    return element("bdi", text_html(visible_word(name)));
}

Html element(const char* start, const Html& content) {
    const std::string_view all = start;
    Html html;
    html.markup_ = fmt::format("<{}>{}</{}>", all, content.markup_, all.substr(0, all.find(' ')));
    return html;
}

Html link_to(std::string_view path, const Html& content) {
    if (!std::ranges::all_of(path, is_path_character))
        throw own_fault(fmt::format("\"{}\" is no link within a report.", visible_word(path)));
    Html html;
    html.markup_ = fmt::format("<a href=\"{}\">{}</a>", path, content.markup_);
    return html;
}

Html image_html(const char* type, std::string_view bytes, std::string_view description) {
    Html html;
    html.markup_ = fmt::format("<img alt=\"{}\" src=\"data:image/{};base64,{}\">",
                               escaped(visible_word(description)), type, base64(bytes));
    return html;
}

Html png_image(std::string_view png, std::string_view description) {
    return image_html("png", png, description);
}

Html svg_image(std::string_view svg, std::string_view description) {
    std::string image(svg.substr(std::min(svg.find("<svg"), svg.size())));
    image.insert(image.find('>') + 1, kSvgStyle);
    return image_html("svg+xml", image, description);
}

Html positioned(const char* classes, double left, double width, const Html& content) {
    Html html;
    html.markup_ =
        fmt::format("<span class='{}' style='left:{:.1f}%;width:{:.1f}%'>{}</span>", classes,
                    std::clamp(left, 0.0, 100.0), std::clamp(width, 0.0, 100.0), content.markup_);
    return html;
}

Html number_html(double value) {
    return text_html(short_number(value));
}

std::string html_document(std::string_view title, const Html& body) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'\">\n"
        "<meta name=\"referrer\" content=\"no-referrer\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}\n</main>\n</body>\n"
        "</html>\n",
        escaped(visible_word(title)), kStyleSheet, body.markup());
}

}  // namespace lab
