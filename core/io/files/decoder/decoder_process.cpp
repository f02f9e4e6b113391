#include "core/io/files/decoder/decoder_process.hpp"

#include "core/base/error.hpp"
#include "core/io/files/memory_allowance.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

extern char** environ;  // NOLINT: no header of POSIX declares environ

namespace gantry {

namespace fs = std::filesystem;

namespace {

// Time limits, wall clock: for the start of a decoder, and for each second of processor time that
// a request allows. While this process waits, it looks for an interrupt every 0.05 s.
constexpr double seconds_to_start = 30, wall_seconds_for_a_second = 6, seconds_between_looks = 0.05,
                 seconds_without_limit = 1e9;

/// Owns a file descriptor and closes it at the end. The descriptor is close-on-exec: no child
/// process inherits it.
class Descriptor {
 public:
  /// Moves `fd` to a number from 10 on, above wire::socket_fd and wire::results_fd, so that spawn()
  /// can duplicate descriptors to these two numbers in any order.
  explicit Descriptor(int fd) : fd_(fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 10)) {
    if (fd >= 0) ::close(fd);
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

/// Starts the decoder without a shell, with no signal blocked and all signal handlers at their
/// defaults. The decoder is in a process group of its own, so that an interrupt from the keyboard
/// reaches this program only. Returns -1 when the decoder cannot be started.
pid_t spawn(const std::string& program, int socket, int results) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  for (const int fd : {0, 1, 2})
    posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&files, socket, wire::socket_fd);
  posix_spawn_file_actions_adddup2(&files, results, wire::results_fd);
  posix_spawn_file_actions_addclosefrom_np(&files, wire::results_fd + 1);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::string name = program;
  std::array<char*, 2> arguments = {name.data(), nullptr};
  pid_t pid = -1;
  if (posix_spawn(&pid, program.c_str(), &files, &attributes, arguments.data(), environ) != 0)
    pid = -1;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return pid;
}

/// Returns whether `socket` can be read, or is closed at the other end, within `seconds`.
bool readable_within(int socket, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    const std::chrono::duration<double> left = end - std::chrono::steady_clock::now();
    if (left.count() <= 0) return false;
    pollfd wait{socket, POLLIN, 0};
    const int got = poll(&wait, 1, static_cast<int>(std::min(left.count(), 1e6) * 1000) + 1);
    if (got > 0) return true;
    if (got < 0 && errno != EINTR) return false;
  }
}

}  // namespace

std::string DecoderProcess::program() {
  std::error_code error;
  if (const char* chosen = std::getenv("GANTRY_DECODER"); chosen != nullptr && *chosen != '\0')
    return fs::is_regular_file(chosen, error) ? chosen : "";
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& path :
       {here / "gantry-decoder", here.parent_path() / "libexec" / "gantry" / "gantry-decoder",
        fs::path(GANTRY_BUILT_DECODER)})
    if (fs::is_regular_file(path, error)) return path.string();
  return {};
}

bool DecoderProcess::is_unwanted() {
  const char* chosen = std::getenv("GANTRY_DECODER");
  return chosen != nullptr && std::string_view(chosen) == "none";
}

std::unique_ptr<DecoderProcess> DecoderProcess::start() {
  static std::atomic<bool> unusable = false;  // the program found did not send wire::hello
  if (unusable) return nullptr;
  const std::string found = program();
  std::array<int, 2> pair{-1, -1};
  if (found.empty() || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
    return nullptr;
  Descriptor ours(pair[0]), theirs(pair[1]);
  Descriptor results(memfd_create("gantry-decoder", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (ours.get() < 0 || theirs.get() < 0 || fcntl(results.get(), F_ADD_SEALS, F_SEAL_SHRINK) != 0)
    return nullptr;
  const pid_t pid = spawn(found, theirs.get(), results.get());
  if (pid < 0) return nullptr;
  ::close(theirs.release());
  std::unique_ptr<DecoderProcess> process(
      new DecoderProcess(pid, ours.release(), results.release()));
  std::uint64_t said = 0;
  if (!readable_within(process->socket_, seconds_to_start) ||
      !wire::receive_all(process->socket_, &said, sizeof said) || said != wire::hello) {
    process->end(true);
    unusable = true;
    return nullptr;
  }
  return process;
}

DecoderProcess::~DecoderProcess() {
  end(is_sent_ahead_);  // nobody waits for the answer any more
  forget_results();
  ::close(results_);
}

/// Closes the socket, upon which the decoder ends, and waits for that; kills the decoder where
/// `at_once`. Returns its exit status as given by waitpid(), or -1.
int DecoderProcess::end(bool at_once) {
  if (pid_ < 0) return -1;
  ::close(socket_);
  if (at_once) ::kill(pid_, SIGKILL);
  int status = -1;
  while (waitpid(pid_, &status, 0) < 0)
    if (errno != EINTR) {
      status = -1;
      break;
    }
  pid_ = -1;
  socket_ = -1;
  return status;
}

bool DecoderProcess::alive() {
  if (pid_ < 0 || is_sent_ahead_) return false;
  pollfd look{socket_, POLLIN, 0};
  return poll(&look, 1, 0) == 0;  // without a request, only the end of the decoder can be read
}

void DecoderProcess::fail(const std::string& where, bool too_slow) {
  const int status = end(too_slow);
  const int signal = status >= 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (too_slow || signal == SIGXCPU)
    throw InputError("takes too long to read for its size", where, large_file_remedy());
  if (signal == SIGKILL)
    throw DecoderUnavailable(
        "the decoder was killed while reading it, as happens when memory runs out", where,
        "close other programs and try again");
  std::string how;
  if (signal != 0)
    how = " (signal " + std::to_string(signal) + ", " + strsignal(signal) + ")";
  else if (status >= 0 && WIFEXITED(status))
    how = " (exit status " + std::to_string(WEXITSTATUS(status)) + ")";
  throw InputError("the decoder crashed while reading it" + how, where,
                   "copy the file again from where it came");
}

bool DecoderProcess::send(const DecoderRequest& request) const {
  const wire::Request head{request.what,    large_files_confirmed() ? 1U : 0U,
                           request.index,   request.count,
                           request.seconds, request.text.size()};
  return wire::send_all(socket_, &head, sizeof head) &&
         wire::send_all(socket_, request.text.data(), request.text.size());
}

/// Returns whether an answer came, or the decoder ended, within the time that the request allows.
/// Throws Interrupted; the decoder has ended then.
bool DecoderProcess::wait_for_answer(const DecoderRequest& request) {
  double left =
      large_files_confirmed() ? seconds_without_limit : wall_seconds_for_a_second * request.seconds;
  const double between = request.interrupt != nullptr ? seconds_between_looks : left;
  while (left > 0) {
    if (readable_within(socket_, std::min(left, between))) return true;
    left -= between;
    if (request.interrupt == nullptr || !request.interrupt->raised()) continue;
    end(true);
    throw Interrupted{};
  }
  return false;
}

wire::Answer DecoderProcess::ask(const DecoderRequest& request) {
  const bool sent = std::exchange(is_sent_ahead_, false) || (pid_ >= 0 && send(request));
  if (sent && !wait_for_answer(request)) fail(request.where, true);
  wire::Answer answer;
  if (!sent || !wire::receive_all(socket_, &answer, sizeof answer)) fail(request.where, false);
  if (answer.outcome == wire::Outcome::done || answer.outcome == wire::Outcome::nothing)
    return answer;
  answer.bytes = std::min<std::uint64_t>(answer.bytes, 1 << 16);
  const std::string text = with_own_way_to_confirm(result_of(answer));
  if (answer.outcome == wire::Outcome::usage_error) throw UsageError(text);
  throw InputError(text);
}

void DecoderProcess::send_ahead(const DecoderRequest& request) {
  is_sent_ahead_ = pid_ >= 0 && send(request);
}

void DecoderProcess::close_file() { send({}); }

std::string DecoderProcess::result_of(const wire::Answer& answer) {
  const auto bytes = results_up_to(static_cast<std::size_t>(answer.bytes));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> DecoderProcess::result(std::size_t bytes, std::size_t at) {
  return results_up_to(at + bytes).subspan(at);
}

void DecoderProcess::copy_result(void* to, std::size_t bytes, std::size_t at) {
  if (bytes > 0) std::memcpy(to, result(bytes, at).data(), bytes);
}

/// Returns the first bytes of the file in memory, which is mapped again when it has grown: on some
/// machines read() takes ten times as long. The file never shrinks (F_SEAL_SHRINK), whatever the
/// decoder does, so that all that is mapped can be read.
std::span<const std::byte> DecoderProcess::results_up_to(std::size_t bytes) {
  if (bytes <= seen_.size()) return seen_.first(bytes);
  struct stat file {};
  if (fstat(results_, &file) != 0 || bytes > static_cast<std::uint64_t>(file.st_size))
    wire::Unpacker::fail();
  forget_results();
  const auto size = static_cast<std::size_t>(file.st_size);
  void* start = mmap(nullptr, size, PROT_READ, MAP_SHARED, results_, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  seen_ = {static_cast<const std::byte*>(start), size};
  return seen_.first(bytes);
}

void DecoderProcess::forget_results() {
  if (!seen_.empty()) munmap(const_cast<std::byte*>(seen_.data()), seen_.size());
  seen_ = {};
}

}  // namespace gantry
