#include "batch/intake/source_tree.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "base/failure.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "batch/intake/archive.h"

namespace lab {
namespace {

constexpr std::array kArchiveEndings = {".zip",    ".tar",     ".tar.gz",  ".tgz",
                                        ".tar.xz", ".tar.bz2", ".tar.zst", ".7z"};

bool ends_with_ignoring_case(std::string_view text, std::string_view ending) {
    if (text.size() < ending.size()) return false;
    return std::ranges::equal(text.substr(text.size() - ending.size()), ending, [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == b;
    });
}

bool is_wanted(std::string_view name) {
    for (const char* ending : {".cu", ".csv", ".yml", ".toml"})
        if (ends_with_ignoring_case(name, ending)) return true;
    return false;
}

/// What systems and tools leave behind, and nobody handed in.
bool is_litter(std::string_view part) {
    return part == "__MACOSX" || part == ".DS_Store" || part == ".git" || part == "Thumbs.db" ||
           part == "desktop.ini" || part.starts_with("._") || part == ".lab" || part == "build";
}

enum class PathKind { good, litter, outside };

/// The path of an entry, made safe: with '/', without "." and control characters.
PathKind clean(std::string_view name, std::string& path) {
    path.clear();
    if (name.starts_with('/') || name.starts_with('\\') || (name.size() > 1 && name[1] == ':'))
        return PathKind::outside;
    std::size_t begin = 0;
    while (begin <= name.size()) {
        const std::size_t end = std::min(name.find_first_of("/\\", begin), name.size());
        const std::string_view part = name.substr(begin, end - begin);
        begin = end + 1;
        if (part.empty() || part == ".") continue;
        if (part == "..") return PathKind::outside;
        if (is_litter(part)) return PathKind::litter;
        path += (path.empty() ? "" : "/") + visible_word(part);
    }
    return path.empty() ? PathKind::litter : PathKind::good;
}

class Tree {
public:
    explicit Tree(const TreeLimits& limits) : limits_(limits) {}

    SourceTree take() {
        std::ranges::sort(tree_.files, {}, &SourceFile::path);
        return std::move(tree_);
    }

    void add_folder(const fs::path& folder) {
        std::error_code error;
        fs::recursive_directory_iterator files(folder, error), end;
        if (error)
            throw usage_failure(
                fmt::format("Cannot read {}: {}.", folder.string(), error.message()));
        for (; files != end; files.increment(error)) {
            if (error) {
                note(fmt::format("A folder below {} cannot be read: {}.", folder.string(),
                                 error.message()));
                break;
            }
            std::string path;
            const PathKind kind = clean(fs::relative(files->path(), folder).string(), path);
            if (kind != PathKind::good) {
                files.disable_recursion_pending();
                continue;
            }
            if (files->is_directory() && !files->is_symlink()) continue;
            add_file(files->path(), path);
        }
    }

    void add_archive(const fs::path& archive) {
        tree_.is_archive = true;
        Budget budget{limits_.files, limits_.bytes_in_all};
        const std::string name = archive.filename().string();
        try {
            for_each_entry(archive, visitor("", name, budget, true));
        } catch (const Failure& failure) {
            if (tree_.files.empty())
                throw usage_failure(fmt::format("{} {}.", archive.string(), failure.what()));
            note(fmt::format("{} {}. What comes after that place in it is missing.", name,
                             failure.what()));
        }
    }

private:
    struct Budget {
        std::size_t files, bytes;
    };

    void note(const std::string& text) { tree_.notes.push_back(text); }

    void add_file(const fs::path& file, const std::string& path) {
        SourceFile found;
        found.path = path;
        struct stat status {};
        if (lstat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
            if (!is_wanted(path)) return;
            found.problem =
                S_ISLNK(status.st_mode) ? "it is a link, not a file" : "it is no ordinary file";
        } else {
            found.time = Time(std::chrono::seconds(status.st_mtime));
            if (is_archive_name(path)) {
                add_inner(read(file, limits_.bytes_of_inner_archive + 1), path);
                return;
            }
            if (is_wanted(path)) {
                found.content = read(file, limits_.bytes_of_file);
                found.is_read = true;
            }
        }
        tree_.files.push_back(std::move(found));
    }

    static std::string read(const fs::path& file, std::size_t limit) {
        std::ifstream in(file, std::ios::binary);
        std::string content(limit, '\0');
        in.read(content.data(), static_cast<std::streamsize>(limit));
        content.resize(static_cast<std::size_t>(in.gcount()));
        content.shrink_to_fit();
        return content;
    }

    /// An archive inside a folder, or inside the archive that was handed in.
    void add_inner(const std::string& content, const std::string& path) {
        if (content.size() > limits_.bytes_of_inner_archive) {
            note(fmt::format("{} is larger than {} MiB, and was not unpacked.", path,
                             limits_.bytes_of_inner_archive >> 20));
            return;
        }
        Budget budget{limits_.files_of_inner_archive, limits_.inner_bytes_in_all};
        try {
            for_each_entry(std::string_view(content),
                           visitor(without_archive_ending(path) + "/", path, budget, false));
        } catch (const Failure& failure) {
            note(fmt::format("{} {}.", path, failure.what()));
            SourceFile found;
            found.path = path;
            found.problem = failure.what();
            tree_.files.push_back(std::move(found));
        }
    }

    std::function<bool(const ArchiveEntry&, const ReadContent&)> visitor(const std::string& below,
                                                                         const std::string& archive,
                                                                         Budget& budget,
                                                                         bool is_outermost) {
        return [this, below, archive, &budget, is_outermost](const ArchiveEntry& entry,
                                                             const ReadContent& content) {
            if (budget.files == 0) {
                note(fmt::format("{} holds too many files; those after {} are missing.", archive,
                                 visible_word(entry.name)));
                return false;
            }
            --budget.files;
            if (entry.is_folder) return true;
            budget.bytes -= std::min(budget.bytes, entry.bytes_to_pass);
            std::string path;
            const PathKind kind = clean(entry.name, path);
            if (kind == PathKind::outside)
                note(fmt::format("{}: the entry {} leads out of it, and was left out.", archive,
                                 visible_word(entry.name)));
            if (kind == PathKind::good && budget.bytes > 0)
                add_entry(entry, content, below + path, budget, is_outermost);
            if (budget.bytes > 0) return true;
            note(fmt::format(
                "{} unpacks to more than {} MiB; what comes after {} is missing.", archive,
                (is_outermost ? limits_.bytes_in_all : limits_.inner_bytes_in_all) >> 20,
                visible_word(entry.name)));
            return false;
        };
    }

    void add_entry(const ArchiveEntry& entry, const ReadContent& content, const std::string& path,
                   Budget& budget, bool is_outermost) {
        SourceFile found;
        found.path = path;
        found.time = entry.time;
        found.is_from_archive = true;
        const auto read = [&](std::size_t limit) {
            std::string text = content(std::min(limit, budget.bytes));
            budget.bytes -= text.size();
            return text;
        };
        if (!entry.is_file) {
            if (!is_wanted(path)) return;
            found.problem = "it is a link, or no ordinary file";
        } else if (is_outermost && is_archive_name(path)) {
            add_inner(read(limits_.bytes_of_inner_archive + 1), path);
            return;
        } else if (is_wanted(path)) {
            found.content = read(limits_.bytes_of_file);
            found.is_read = true;
        }
        tree_.files.push_back(std::move(found));
    }

    const TreeLimits& limits_;
    SourceTree tree_;
};

}  // namespace

SourceTree read_tree(const fs::path& folder_or_archive, const TreeLimits& limits) {
    std::error_code error;
    const fs::file_status status = fs::status(folder_or_archive, error);
    if (!fs::exists(status))
        throw usage_failure(
            fmt::format("There is no {}. Name the folder or the archive with what "
                        "the class handed in.",
                        folder_or_archive.string()));
    Tree tree(limits);
    if (fs::is_directory(status))
        tree.add_folder(folder_or_archive);
    else
        tree.add_archive(folder_or_archive);
    return tree.take();
}

bool is_archive_name(std::string_view name) {
    return std::ranges::any_of(
        kArchiveEndings, [&](const char* ending) { return ends_with_ignoring_case(name, ending); });
}

std::string without_archive_ending(std::string_view name) {
    std::size_t longest = 0;
    for (const std::string_view ending : kArchiveEndings)
        if (ends_with_ignoring_case(name, ending)) longest = std::max(longest, ending.size());
    return std::string(name.substr(0, name.size() - longest));
}

}  // namespace lab
