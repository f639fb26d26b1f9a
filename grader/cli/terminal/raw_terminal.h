// Switches the terminal to single keys without echo, and always restores it.
#pragma once

namespace lab::cli {

/// While it lives, reads from `descriptor` return single keys, without an echo. Ctrl-C and Ctrl-Z
/// still send their signals, and line feeds are printed as ever. The terminal is restored at the
/// end of the scope, and when a fatal signal (a crash, an abort) ends the program. At most one
/// exists at a time.
class RawTerminal {
public:
    explicit RawTerminal(int descriptor);
    ~RawTerminal();
    RawTerminal(const RawTerminal&) = delete;
    RawTerminal& operator=(const RawTerminal&) = delete;

    /// Gives the terminal back for a while: to a shell, or to another program.
    void give_back();
    /// And takes it again. A process in the background is stopped by this, as the shell expects.
    void take();
};

}  // namespace lab::cli
