// Tests with a script in place of gnuplot where only the call matters, and with gnuplot where the
// drawing does.

#include "core/draw.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>

#include "base/failure.h"
#include "base/files.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Message;
using Catch::Matchers::MessageMatches;

namespace {

struct Scene {
    TemporaryFolder folder;
    Project project;
    Drawing drawing;

    explicit Scene(const std::string& script) {
        project.root = LAB_TEST_ROOT;
        drawing.script = folder.path() / "it's.gp";
        drawing.csv = folder.path() / "it's.csv";
        drawing.out = folder.path() / "it's.png";
        drawing.device = "modelled for NVIDIA H200";
        write_atomically(drawing.script, script);
        write_atomically(drawing.csv, "x,y\n1,1\n2,4\n3,9\n");
    }
    void drawn() const { draw(project, drawing); }
};

/// A PATH of one folder, while it lives.
class Path {
public:
    explicit Path(const fs::path& folder) : before_(std::getenv("PATH")) {
        setenv("PATH", folder.c_str(), 1);
    }
    ~Path() { setenv("PATH", before_.c_str(), 1); }
    Path(const Path&) = delete;
    Path& operator=(const Path&) = delete;

private:
    std::string before_;
};

}  // namespace

TEST_CASE("draw: one script becomes a PNG and an SVG") {
    if (!has_gnuplot()) SKIP("gnuplot is not installed");
    Scene scene(
        "# A parabola.\n# size 640x320\nset title device\nset key top left\n"
        "plot csv using \"x\":\"y\" with linespoints title \"squares\"\n");
    scene.drawn();
    const std::string png = read_file(scene.drawing.out);
    CHECK(png.starts_with("\x89PNG"));
    CHECK(png.substr(16, 8) == std::string("\0\0\x02\x80\0\0\x01\x40", 8));  // 640 x 320

    scene.drawing.format = PictureFormat::svg;
    scene.drawing.out = scene.folder.path() / "it's.svg";
    scene.drawn();
    CHECK_THAT(read_file(scene.drawing.out), ContainsSubstring("modelled for NVIDIA H200"));
}

TEST_CASE("draw: a script says how its table is drawn with characters") {
    const Scene scene(
        "# A parabola, and\n# its numbers. Drawn by ./lab picture 01.\n# size 640x320\n"
        "# text lines x=x y=y\n# text bars label=x value=y\nplot csv\n# text not this\n");
    const TextDrawing drawing = text_drawing(scene.drawing.script);
    CHECK(drawing.title == "A parabola, and its numbers");
    CHECK(drawing.recipes == std::vector<std::string>{"lines x=x y=y", "bars label=x value=y"});

    const Scene without("# A parabola.\nplot csv\n");
    CHECK_THROWS_MATCHES(
        text_drawing(without.drawing.script), Failure,
        Message(without.drawing.script.string() +
                " does not say how to draw its table without gnuplot. Its first comment needs a "
                "line like\n    # text lines x=n y=gb_per_s by=version log=x"));
}

TEST_CASE("draw: a script that gnuplot does not like is our fault, in gnuplot's words") {
    if (!has_gnuplot()) SKIP("gnuplot is not installed");
    const Scene scene("plot csv using \"no such column\" with lines\nnonsense\n");
    try {
        scene.drawn();
        FAIL("it was drawn");
    } catch (const Failure& failure) {
        CHECK(failure.exit() == Exit::own_fault);
        CHECK_THAT(failure.what(), ContainsSubstring("it's.gp"));
    }
}

TEST_CASE("draw: without gnuplot, where the numbers are and how to get it") {
    const Scene scene("plot csv\n");
    const Path empty(scene.folder.path());
    CHECK_THROWS_MATCHES(
        scene.drawn(), Failure,
        MessageMatches(ContainsSubstring("gnuplot, which draws the pictures, is not installed. "
                                         "Their numbers are in\n    " +
                                         scene.drawing.csv.string() + "\n") &&
                       ContainsSubstring("sudo apt-get install gnuplot-nox")));
}

TEST_CASE("draw: formats and devices by name") {
    CHECK(parse_format("svg") == PictureFormat::svg);
    CHECK_THROWS_MATCHES(parse_format("pgn"), Failure,
                         MessageMatches(ContainsSubstring("Did you mean \"png\"?")));
    CHECK(device_label(DeviceKind::gpu, "NVIDIA H200") == "NVIDIA H200");
    CHECK(device_label(DeviceKind::vgpu, "Virtual GPU, modelled on NVIDIA H200") ==
          "modelled for NVIDIA H200");
}

TEST_CASE("draw: every picture and benchmark of a lab can be drawn without gnuplot") {
    std::size_t scripts = 0;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(LAB_TEST_ROOT) / "labs")) {
        if (entry.path().extension() != ".gp") continue;
        if (read_file(entry.path()).find("Drawn by ./lab") == std::string::npos) continue;
        INFO(entry.path().string());
        const TextDrawing drawing = text_drawing(entry.path());
        // A line of its own each: reflowed into the title they would be lost.
        CHECK(drawing.title.find(" size ") == std::string::npos);
        CHECK(drawing.title.find(" text ") == std::string::npos);
        ++scripts;
    }
    CHECK(scripts > 20);
}
