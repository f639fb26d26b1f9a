// The common part of the parser's tests: a module around a few lines, and the message for a text.
#pragma once

#include <string>

#include "ptx/module.h"
#include "vgpu/device.h"

namespace vgpu::ptx {

/// The three lines that every module begins with; `text` starts on line 4.
inline std::string with_header(const std::string& text) {
    return ".version 9.0\n.target sm_75\n.address_size 64\n" + text;
}

/// The one instruction in a kernel's body.
inline Instruction instruction(const std::string& text) {
    return parse(with_header(".entry k() {" + text + "}")).functions.at(0).body.at(0);
}

/// The one variable of a module.
inline Variable variable(const std::string& text) {
    return parse(with_header(text)).variables.at(0);
}

inline std::string error_of(const std::string& text) {
    try {
        parse(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace vgpu::ptx
