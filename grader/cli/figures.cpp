#include "cli/figures.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/files.h"
#include "cli/run_grading.h"
#include "core/grade.h"
#include "core/progress.h"
#include "report/plots/text_plot.h"
#include "report/text.h"

namespace lab::cli {
namespace {

constexpr std::size_t kUsualColumns = 80, kFewestColumns = 60, kMostColumns = 120;

std::size_t terminal_columns() {
    winsize size{};
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? std::clamp<std::size_t>(size.ws_col, kFewestColumns, kMostColumns)
                 : kUsualColumns;
}

/// Does the terminal show more than ASCII? Checks LC_ALL, LC_CTYPE and LANG, as the C library does.
bool shows_utf8() {
    const Environment environment = process_environment();
    if (environment("TERM") == "dumb") return false;
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        std::string locale = environment(name).value_or("");
        if (locale.empty()) continue;
        std::ranges::transform(locale, locale.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return locale.find("utf-8") != std::string::npos ||
               locale.find("utf8") != std::string::npos;
    }
    return false;
}

/// The user's terminal is on another machine, so this one cannot start an image viewer.
bool is_remote_terminal() {
    return isatty(STDOUT_FILENO) != 0 && process_environment()("SSH_CONNECTION").has_value();
}

std::vector<PictureFormat> formats_of(const FigureOptions& options) {
    if (!options.format.empty()) return {parse_format(options.format)};
    if (!has_gnuplot()) return {PictureFormat::text};
    std::vector<PictureFormat> formats = {PictureFormat::png, PictureFormat::svg};
    if (is_remote_terminal()) formats.push_back(PictureFormat::text);
    return formats;
}

/// build/pictures/NN-topic or build/bench/NN-topic, unless --out says otherwise.
fs::path folder_of(const Project& project, const Lab& lab, const FigureOptions& options,
                   Cases cases) {
    if (!options.out.empty()) return fs::absolute(options.out);
    return output_folder(project, cases == Cases::pictures ? "pictures" : "bench") / lab.name;
}

/// The title, and every drawing that the script has for terminals.
std::string drawn_as_text(const Drawing& drawing, const TextStyle& style) {
    const TextDrawing how = text_drawing(drawing.script);
    const CsvTable table = read_csv(read_file(drawing.csv));
    const TextCanvas canvas = text_canvas(style);
    std::string text = wrapped(how.title + ".", 0, canvas.columns) + "\n";
    for (const std::string& recipe : how.recipes) text += text_plot(table, recipe, canvas) + "\n";
    return text;
}

}  // namespace

TextCanvas text_canvas(const TextStyle& style) {
    return {terminal_columns(), shows_utf8(), style.colour};
}

std::string FigureOptions::again(const std::string& command, const Lab& which) const {
    std::string text = fmt::format("./lab {} {}", command, which.number());
    if (!file.empty()) text += " --file " + shell_word(file);
    if (device != "auto") text += " --device " + device;
    return text;
}

void add_figure_options(CLI::App& command, Session& session, FigureOptions& options) {
    command.add_option("LAB", options.lab, "Which lab; none: the one last worked on");
    command.add_option("--file", options.file, "Take this file instead of the lab's own")
        ->type_name("FILE");
    command.add_option("--device", options.device, "Where to run it, as in grade")
        ->type_name(kDeviceWords);
    command.add_option("--out", options.out, "Write into this folder")->type_name("DIR");
    command.add_option("--format", options.format, "text: drawn in the terminal")
        ->type_name("png|svg|text");
    command.add_option("--seed", options.seed, "Of all random data");
    session.add_json(command);
}

void say_drawn(const Session& session, const std::vector<Drawn>& figures) {
    for (const Drawn& one : figures) {
        session.say_painted(one.text);
        for (const fs::path& file : one.files) session.say(near_path(file).string() + "\n");
    }
    if (!figures.empty() && !has_gnuplot())
        session.say(
            "Drawn with characters, because gnuplot is not installed. For plots as PNG and SVG:\n"
            "    sudo apt-get install gnuplot-nox\n");
}

FigureRun prepare(Session& session, const FigureOptions& options, Cases cases) {
    const DeviceChoice choice = parse_device(options.device);
    formats_of(options);  // refuses a mistyped one at once
    const Project& project = session.project();
    FigureRun run;
    run.lab = session.lab_or_last(options.lab);
    run.request.file = file_to_grade(project, run.lab, options.file);
    run.request.seed = options.seed;
    run.request.cases = cases;
    run.request.tables = folder_of(project, run.lab, options, cases);
    read_submission(run.request.file);
    make_folder(run.request.tables);
    run.device = choose_device(project, choice);
    session.say_painted(device_line(run.device, session.style()));
    return run;
}

Grading run_cases(Session& session, const FigureOptions& options, const FigureRun& run,
                  const std::string& command) {
    const Grading grading = run_grading(
        session, run.lab, run.device, run.request,
        run.request.cases == Cases::pictures ? "Drawing" : "Measuring", "nothing was drawn");
    if (grading.built && grading.checked.tests.empty() && grading.checked.reason.empty())
        throw usage_failure(
            fmt::format("Lab {} has no {}.", run.lab.name,
                        run.request.cases == Cases::pictures ? "pictures" : "benchmarks"));
    for (const std::string& line : to_lines(grading)) session.raw_line(line);
    session.say_painted(heading(grading, session.style()) + "\n");
    if (!grading.checked.message.empty())
        session.say(wrapped(grading.checked.message, 2, session.style().width));
    session.say_painted(cases_text(grading, options.again(command, run.lab),
                                   options.again("grade", run.lab), session.style()));
    session.exit = grading.exit();
    return grading;
}

Drawn draw_table(Session& session, const Grading& grading, const FigureOptions& options,
                 const std::string& name, const fs::path& script) {
    Drawn drawn{name, grading.tables / (name + ".csv"), {}, ""};
    Drawing drawing;
    drawing.script = script;
    drawing.csv = drawn.csv;
    drawing.device = device_label(grading.device.kind, grading.checked.device_name);
    std::vector<std::string> files;
    for (const PictureFormat format : formats_of(options)) {
        if (format == PictureFormat::text) {
            drawn.text = drawn_as_text(drawing, session.style());
            continue;
        }
        drawing.format = format;
        drawing.out = grading.tables / fmt::format("{}.{}", name, to_string(format));
        draw(session.project(), drawing);
        drawn.files.push_back(drawing.out);
        files.push_back(drawing.out.string());
    }
    session.line(Json{{"type", "figure"},
                      {"schema", kResultsSchema},
                      {"lab", grading.lab.name},
                      {"name", drawn.name},
                      {"device", drawing.device},
                      {"csv", drawn.csv.string()},
                      {"files", files}});
    return drawn;
}

std::vector<Drawn> draw_tables(Session& session, const Grading& grading,
                               const FigureOptions& options) {
    std::vector<Drawn> all;
    for (const TestResult& test : grading.checked.tests) {
        for (const WrittenTable& table : test.tables) {
            if (table.rows == 0) continue;
            all.push_back(draw_table(session, grading, options, table.name,
                                     table_script(session.project(), grading.lab, table.name)));
        }
    }
    return all;
}

}  // namespace lab::cli
