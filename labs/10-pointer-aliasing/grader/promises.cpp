#include "promises.h"

#include <array>
#include <sstream>
#include <utility>

namespace {

struct Range {
    int begin, count;
    bool holds(int element) const { return begin <= element && element < begin + count; }
};

/// The element that both ranges have, or -1, searched one by one.
int shared_element(Range a, Range b) {
    for (int element = a.begin; element < a.begin + a.count; ++element) {
        if (b.holds(element)) return element;
    }
    return -1;
}

struct Conflict {
    std::string name;  ///< of the array that is read
    int element = -1;  ///< of the pool
};

/// The first array that anneal would read and also write an element of.
Conflict conflict_of(const AnnealCall& call) {
    const int coefficients = call.n == 0 ? 0 : kBaths;
    const Range written{call.temperature, call.n};
    const std::array<std::pair<const char*, Range>, 3> read{{{"start", {call.start, call.n}},
                                                             {"rate", {call.rate, coefficients}},
                                                             {"bath", {call.bath, coefficients}}}};
    for (const auto& [name, range] : read) {
        if (const int element = shared_element(written, range); element >= 0) {
            return {name, element};
        }
    }
    return {};
}

}  // namespace

bool breaks_promise(const AnnealCall& call) {
    return conflict_of(call).element >= 0;
}

std::string text_of(std::size_t k, const AnnealCall& call) {
    std::ostringstream text;
    text << "calls[" << k << "] = {start " << call.start << ", rate " << call.rate << ", bath "
         << call.bath << ", temperature " << call.temperature << ", n " << call.n << "}";
    return text.str();
}

std::string reason(const AnnealCall& call) {
    std::ostringstream text;
    if (const Conflict conflict = conflict_of(call); conflict.element >= 0) {
        text << "breaks the promise: element " << conflict.element
             << " of the pool is written through temperature and read through " << conflict.name;
        return text.str();
    }
    text << "keeps the promise: ";
    const auto touch = [&](int begin, int count) {
        return begin + count == call.temperature || call.temperature + call.n == begin;
    };
    const Range rate{call.rate, kBaths}, bath{call.bath, kBaths}, start{call.start, call.n};
    const auto meets_if_n_long = [&](int begin) {
        return begin < call.temperature + call.n && call.temperature < begin + call.n;
    };
    if (call.n == 0) {
        text << "with n = 0 no thread reads or writes anything";
    } else if (meets_if_n_long(call.rate) || meets_if_n_long(call.bath)) {
        text << "rate and bath have kBaths = " << kBaths << " elements each, however large n is";
    } else if (touch(call.start, call.n) || touch(call.rate, kBaths) || touch(call.bath, kBaths)) {
        text << "an array that begins where the other ends shares no element with it";
    } else if (shared_element(rate, bath) >= 0 || shared_element(rate, start) >= 0 ||
               shared_element(bath, start) >= 0) {
        text << "the arrays that share elements are only read";
    } else {
        text << "no element that is written is read through another pointer";
    }
    return text.str();
}
