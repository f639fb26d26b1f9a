// Runs a CUDA program on the virtual GPU as the checker does: vgpu-device with a socket to the
// program and one to the test, which takes the checker's place.
#pragma once

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// What came of one program.
struct Run {
    int exit_code = -1;  ///< 128 + signal when a signal ended it
    std::string out, err;
    std::vector<nlohmann::json> records;  ///< what the device process told the checker

    /// The records of one kind; findings and failed calls in the documented form.
    std::vector<nlohmann::json> all(const std::string& record) const;
};

class Rig {
public:
    explicit Rig(std::vector<std::string> device_arguments = {});
    /// The device process must have ended well: what a sanitizer finds at its end would else be
    /// lost.
    ~Rig();
    Rig(const Rig&) = delete;
    Rig& operator=(const Rig&) = delete;

    /// Starts tests/NAME (built from NAME.cu), waits for its end and collects everything. A name
    /// with a slash is a path.
    Run run(const std::string& program, const std::vector<std::string>& arguments = {});
    /// The same in two steps, for tests that act in between.
    void start(const std::string& program, const std::vector<std::string>& arguments = {});
    Run finish();

    /// Waits until the program has printed `text`.
    void wait_for(const std::string& text);
    void write_to_program(const std::string& text);
    void kill_device();
    /// The program's end of its socket, for tests that speak the protocol themselves. Stays the
    /// rig's.
    int client() const { return client_; }
    /// Sends `mark id` and returns all records before the answer, and the answer.
    std::vector<nlohmann::json> records_until_mark(int id);

private:
    pid_t device_ = -1, program_ = -1;
    bool is_device_killed_ = false;
    int checker_ = -1, client_ = -1;
    int in_ = -1, out_ = -1, err_ = -1;
    std::string out_text_, record_bytes_;
};
