#include "runtime/server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>

#include "runtime/adaptive_spin.h"
#include "runtime/error_names.h"
#include "runtime/session.h"

namespace vgpu {
namespace {

constexpr std::size_t kMaxLineBytes = 4096;

class Server {
public:
    Server(const Channels& channels, const Options& options, Ptxas ptxas)
        : channels_(channels),
          records_([this](std::string_view line) { tell_checker(line); }),
          session_(options, records_, std::move(ptxas)) {
        if (channels.audits) session_.audit();
        if (channels.counts_lines) session_.count_lines();
        if (channels.keeps_going) session_.keep_going();
        if (channels.decoys >= 0) session_.prepare_decoys(channels.decoys);
        session_.trace(channels.trace);
        session_.record_steps(channels.recorded);
        records_.profile(channels.profiles);
    }

    void run() {
        AdaptiveSpin spin;
        int left = spin.most();
        bool looked = left > 0;
        while (channels_.checker >= 0 || (!has_checker_ && channels_.client >= 0)) {
            pollfd fds[] = {{channels_.client, POLLIN, 0}, {channels_.checker, POLLIN, 0}};
            const int ready = poll(fds, 2, left > 0 ? 0 : -1);
            if (ready == 0) --left;
            if (ready < 0 && errno != EINTR) return;
            if (ready <= 0) continue;
            if (looked) spin.came(left > 0);
            left = spin.most();
            looked = left > 0;
            if (fds[0].revents != 0) serve_client();
            if (fds[1].revents != 0) serve_checker();
        }
    }

private:
    void serve_client() {
        wire::Request request;
        // One byte more than a request, so that a longer packet shows.
        char packet[sizeof(request) + 1];
        const ssize_t size = recv(channels_.client, packet, sizeof(packet), MSG_DONTWAIT);
        if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
        if (size <= 0) return drop_client("");
        try {
            if (size != sizeof(request)) throw wire::Violation("a packet of another size");
            std::memcpy(&request, packet, sizeof(request));
            if (channels_.refuses_notes && request.op == wire::Op::annotate)
                throw wire::Violation("a note about memory, which counts for nothing here");
            answer(session_.handle(request));
        } catch (const wire::Violation& violation) {
            drop_client(violation.what());
        }
    }

    void answer(const Answer& answer) {
        iovec data{const_cast<wire::Reply*>(&answer.reply), sizeof(answer.reply)};
        msghdr message{};
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        if (answer.descriptor >= 0) {
            message.msg_control = control;
            message.msg_controllen = sizeof(control);
            cmsghdr* const header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(sizeof(int));
            std::memcpy(CMSG_DATA(header), &answer.descriptor, sizeof(int));
        }
        // A client has one request under way, so its buffer is never full: never wait for it.
        if (sendmsg(channels_.client, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
            drop_client(errno == EAGAIN ? "requests without reading the replies" : "");
        }
    }

    void drop_client(const std::string& violation) {
        if (!violation.empty()) {
            records_.failed(
                {"connection", error_name(cudaErrorUnknown),
                 "closed: the program did not speak the runtime's protocol: " + violation});
        }
        session_.end_of_program();
        close(channels_.client);
        channels_.client = -1;
    }

    void serve_checker() {
        char buffer[kMaxLineBytes];
        const ssize_t size = recv(channels_.checker, buffer, sizeof(buffer), MSG_DONTWAIT);
        if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
        if (size <= 0) return drop_checker();
        from_checker_.append(buffer, static_cast<std::size_t>(size));
        for (std::size_t end; (end = from_checker_.find('\n')) != std::string::npos;) {
            obey(from_checker_.substr(0, end));
            from_checker_.erase(0, end + 1);
        }
    }

    void obey(std::string_view line) {
        const auto number_after = [&](std::string_view word) {
            std::int64_t number = -1;
            if (line.starts_with(word))
                std::from_chars(line.data() + word.size(), line.data() + line.size(), number);
            return number;
        };
        if (const std::int64_t id = number_after("mark "); id >= 0) {
            session_.meet();
            records_.mark(id, session_.memory_bytes());
        } else if (const std::int64_t seed = number_after("order "); seed >= 0) {
            session_.permute(static_cast<std::uint64_t>(seed));
        } else if (const std::int64_t wanted = number_after("writers "); wanted >= 0) {
            session_.record_writers(wanted != 0);
        } else if (const std::int64_t decoys = number_after("decoys "); decoys >= 0) {
            session_.show_decoys(decoys != 0);
        } else if (const std::int64_t steps = number_after("steps "); steps >= 0) {
            session_.record_steps(steps != 0 ? std::optional<std::string>("") : std::nullopt);
        } else {
            fmt::print(stderr,
                       "vgpu-device: the checker wrote \"{}\"; expected \"mark NUMBER\", "
                       "\"order SEED\", \"writers 0\" or 1, \"decoys 0\" or 1, \"steps 0\" or 1\n",
                       line);
        }
    }

    void tell_checker(std::string_view line) {
        while (!line.empty() && channels_.checker >= 0) {
            const ssize_t sent = send(channels_.checker, line.data(), line.size(), MSG_NOSIGNAL);
            if (sent < 0 && errno != EINTR) return drop_checker();
            if (sent > 0) line.remove_prefix(static_cast<std::size_t>(sent));
        }
    }

    void drop_checker() {
        close(channels_.checker);
        channels_.checker = -1;
    }

    Channels channels_;
    const bool has_checker_ = channels_.checker >= 0;
    Records records_;
    Session session_;
    std::string from_checker_;
};

}  // namespace

void serve(const Channels& channels, const Options& options, Ptxas ptxas) {
    Server(channels, options, std::move(ptxas)).run();
}

}  // namespace vgpu
