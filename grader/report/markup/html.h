// Builds HTML that foreign text cannot break: text becomes HTML only by text_html(), which escapes
// it, so what is not escaped does not compile.
#pragma once

#include <string>
#include <string_view>

namespace lab {

/// A piece of HTML.
class Html {
public:
    Html() = default;
    /// Markup of our own: a literal.
    template <std::size_t size>
    explicit Html(const char (&literal)[size]) : markup_(literal) {}

    const std::string& markup() const { return markup_; }
    bool empty() const { return markup_.empty(); }
    Html& operator+=(const Html& more);
    friend Html operator+(Html one, const Html& more) { return one += more; }

private:
    friend Html text_html(std::string_view text);
    friend Html element(const char* start, const Html& content);
    friend Html link_to(std::string_view path, const Html& content);
    friend Html image_html(const char* type, std::string_view bytes, std::string_view description);
    friend Html positioned(const char* classes, double left, double width, const Html& content);

    std::string markup_;
};

/// Any bytes as text; control characters are shown (base/visible.h). For content only, never for
/// an attribute.
Html text_html(std::string_view text);

/// The same in a line of its own direction, for names: those written from right to left leave
/// their surroundings alone. Line feeds and tabs are shown.
Html name_html(std::string_view name);

/// `<start>content</name>`. `start` is a literal of ours: "td", or "td class='points'".
Html element(const char* start, const Html& content);

/// A link to a file of this report. `path` has only characters of file_name_of(), "/" and "#".
Html link_to(std::string_view path, const Html& content);

/// A drawing of gnuplot's as an image: nothing in it can act on the page. On a dark page it is
/// drawn with light lines. `description`: for readers who do not see it.
Html svg_image(std::string_view svg, std::string_view description);
Html png_image(std::string_view png, std::string_view description);

/// A <span> at `left` with `width`, in percent of its parent.
Html positioned(const char* classes, double left, double width, const Html& content = {});

/// A number as people write it: at most 2 decimals, none that are 0.
Html number_html(double value);

/// A document without scripts that needs nothing from anywhere; its policy forbids both. Light or
/// dark, as the reader's system is.
std::string html_document(std::string_view title, const Html& body);

}  // namespace lab
