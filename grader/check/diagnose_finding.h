// What to change, for a finding of the virtual GPU, in the contract's names: the message before it
// says what happened. Nothing is said when several mistakes could have led there.
//
// Interface: diagnose_finding.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "check/call.h"
#include "check/marshal.h"
#include "check/worker.h"

namespace lab {

std::string diagnose_finding(const CallPlan& plan, const nlohmann::json& finding,
                             const Marshalled& call, const Outcome& outcome);

/// The part for accesses outside of an array (diagnose_access.cpp).
std::string diagnose_outside(const CallPlan& plan, const nlohmann::json& finding,
                             const Marshalled& call, const Outcome& outcome);

/// A member of a record, which another process wrote: `fallback` unless it is there and a T.
template <class T>
T member_of(const nlohmann::json& object, const char* key, T fallback) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return fallback;
    try {
        return found->template get<T>();
    } catch (const nlohmann::json::exception&) {
        return fallback;
    }
}

/// The only argument that lives at a device address; nothing where views share the memory.
const Buffer* buffer_at(std::uint64_t base, const Marshalled& call, const Outcome& outcome);

}  // namespace lab
