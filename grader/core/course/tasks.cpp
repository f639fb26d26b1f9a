#include "core/course/tasks.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>

namespace lab {
namespace {

/// A TODO(k/n) in a comment.
struct Todo {
    int task = 0, line = 0;
    std::size_t next_item = 0;  ///< the item that it stands in or before
};

using Item = std::vector<std::string>;  ///< the tokens of a declaration at file scope

/// A file as a list of the declarations at file scope, without comments and white space.
class Outline {
public:
    explicit Outline(std::string_view text) : rest_(text) {
        while (!rest_.empty()) take_token();
        end_item();
    }

    std::vector<Item> items;
    std::vector<Todo> todos;

private:
    void take_token() {
        const char c = rest_.front();
        if (std::isspace(static_cast<unsigned char>(c)) != 0) return void(take(1));
        if (rest_.starts_with("//")) return comment(take(rest_.find('\n')));
        if (rest_.starts_with("/*")) return comment(take(after("*/", 2)));
        if (c == '#' && is_at_line_begin_) return directive();
        is_at_line_begin_ = false;
        if (c == '"' || c == '\'') return add(take(literal_length(c)));
        if (is_word(c)) return add(take(word_length()));
        if (c == '}' && depth_ > 0) --depth_;
        if (c == '{') ++depth_;
        add(take(1));
        if (depth_ == 0 && (c == '}' || c == ';')) end_item();
    }

    static bool is_word(char c) {
        return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
    }

    std::string_view take(std::size_t length) {
        const std::string_view taken = rest_.substr(0, length);
        rest_.remove_prefix(taken.size());
        const auto lines = std::count(taken.begin(), taken.end(), '\n');
        line_ += static_cast<int>(lines);
        if (lines > 0) is_at_line_begin_ = true;
        return taken;
    }

    std::size_t after(std::string_view end, std::size_t from) const {
        const auto at = rest_.find(end, from);
        return at == std::string_view::npos ? rest_.size() : at + end.size();
    }

    std::size_t word_length() const {
        return static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), is_word) -
                                        rest_.begin());
    }

    std::size_t literal_length(char quote) const {
        for (std::size_t i = 1; i < rest_.size() && rest_[i] != '\n'; ++i) {
            if (rest_[i] == '\\')
                ++i;
            else if (rest_[i] == quote)
                return i + 1;
        }
        return 1;  // not closed: nvcc will say so
    }

    /// A line of the preprocessor is a token. Between functions it is an item, too.
    void directive() {
        std::size_t end = rest_.find('\n');
        while (end != std::string_view::npos && end > 0 && rest_[end - 1] == '\\')
            end = rest_.find('\n', end + 1);
        add(take(end));
        if (depth_ == 0) end_item();
    }

    void comment(std::string_view text) {
        constexpr std::string_view kTodo = "TODO(";
        const auto at = text.find(kTodo);
        if (at == std::string_view::npos) return;
        int task = 0;
        std::size_t i = at + kTodo.size();
        for (; i < text.size() && task < 1000 && std::isdigit(static_cast<unsigned char>(text[i]));
             ++i)
            task = 10 * task + (text[i] - '0');
        if (task == 0 || i >= text.size() || text[i] != '/') return;
        const auto lines =
            std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), '\n');
        todos.push_back({task, line_ - static_cast<int>(lines), items.size()});
    }

    void add(std::string_view token) { item_.emplace_back(token); }

    void end_item() {
        if (!item_.empty()) items.push_back(std::move(item_));
        item_.clear();
    }

    std::string_view rest_;
    Item item_;
    int line_ = 1, depth_ = 0;
    bool is_at_line_begin_ = true;
};

}  // namespace

std::vector<TaskState> task_states(std::string_view skeleton, std::string_view file) {
    const Outline given(skeleton), now(file);
    const std::set<Item> still_there(now.items.begin(), now.items.end());
    std::map<int, TaskState> states;
    for (const Todo& todo : given.todos) {
        TaskState& state = states[todo.task];
        state.task = todo.task;
        if (todo.next_item < given.items.size() &&
            !still_there.contains(given.items[todo.next_item]))
            state.begun = true;
    }
    for (const Todo& todo : now.todos) {
        const auto state = states.find(todo.task);
        if (state != states.end() && state->second.todo_line == 0)
            state->second.todo_line = todo.line;
    }
    std::vector<TaskState> result;
    for (auto& [task, state] : states) {
        // Who deletes the whole task's TODOs thinks that it is done.
        state.begun = state.begun || state.todo_line == 0;
        result.push_back(state);
    }
    return result;
}

}  // namespace lab
