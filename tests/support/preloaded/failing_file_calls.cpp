// A library to be loaded before a program (LD_PRELOAD): the calls with which the program changes
// files and folders are numbered from 1, and the one of the number that FAILING_CALL holds fails as
// FAILING_CALL_HOW says:
//   error  with EIO, all later calls succeed
//   full   with ENOSPC, as does each later call that needs space; of a write half is written first
//   kill   the process is killed before the call; of a write half is written first
// FAILING_CALL_COUNT names a file to which the number of calls is written when the program ends.
// Calls on terminals, pipes, sockets and memory files do not count, nor do those of the decoder
// that the program starts. tests/core/io/files/killed_writer.hpp does the same for a single writer
// within the process of a test.
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <mutex>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

enum class Needs { space, nothing };

struct State {
  long number = 0;  ///< of the call that fails; 0: none
  long calls = 0;
  bool counts = true, kills = false, fills = false, is_full = false;
  std::mutex mutex;

  State() {
    if (const char* text = std::getenv("FAILING_CALL")) number = std::atol(text);
    if (const char* how = std::getenv("FAILING_CALL_HOW")) {
      kills = std::strcmp(how, "kill") == 0;
      fills = std::strcmp(how, "full") == 0;
    }
    counts = std::strstr(program_invocation_short_name, "gantry-decoder") == nullptr;
  }
  ~State() {
    const char* path = std::getenv("FAILING_CALL_COUNT");
    if (!counts || path == nullptr) return;
    const long all = calls;
    counts = false;
    if (std::FILE* file = std::fopen(path, "w")) {
      std::fprintf(file, "%ld", all);
      std::fclose(file);
    }
  }
};

State& state() {
  static State the;
  return the;
}

/// Counts one call. Returns the error with which the call has to fail, or 0. `half_done` does what
/// the call gets done before the disk is full or the process ends.
template <class Before>
int error_of_call(Needs needs, const Before& half_done) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (!s.counts) return 0;
  const bool fails = ++s.calls == s.number;
  if (s.is_full && needs == Needs::space) return ENOSPC;
  if (!fails) return 0;
  if (s.kills || s.fills) half_done();
  if (s.kills) kill(getpid(), SIGKILL);
  s.is_full = s.fills;
  if (!s.fills) return EIO;
  return needs == Needs::space ? ENOSPC : 0;
}

bool is_in_a_file_system(int descriptor) {
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) return false;
  if (S_ISDIR(status.st_mode)) return true;
  return S_ISREG(status.st_mode) && status.st_nlink > 0;  // files in memory have no name
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Does a call, or fails as it has to.
template <class Call>
auto counted(Needs needs, const Call& call) -> decltype(call()) {
  if (const int error = error_of_call(needs, [] {})) {
    errno = error;
    return -1;
  }
  return call();
}

bool changes_files(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_DIRECTORY)) != 0; }

bool is_device(const char* path) {
  return std::strncmp(path, "/dev/", 5) == 0 || std::strncmp(path, "/proc/", 6) == 0;
}

using Open = int(const char*, int, ...);
int open_by(const char* name, const char* path, int flags, unsigned mode) {
  Open* const real = next<Open>(name);
  if (!changes_files(flags) || is_device(path)) return real(path, flags, mode);
  return counted((flags & O_CREAT) != 0 ? Needs::space : Needs::nothing,
                 [&] { return real(path, flags, mode); });
}

}  // namespace

extern "C" {

#define COUNTED_OPEN(name)                                                                   \
  int name(const char* path, int flags, ...) {                                               \
    va_list rest;                                                                            \
    va_start(rest, flags);                                                                   \
    const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0; \
    va_end(rest);                                                                            \
    return open_by(#name, path, flags, mode);                                                \
  }

COUNTED_OPEN(open)
COUNTED_OPEN(open64)

ssize_t write(int descriptor, const void* bytes, size_t count) {
  using Write = ssize_t(int, const void*, size_t);
  Write* const real = next<Write>("write");
  if (!is_in_a_file_system(descriptor)) return real(descriptor, bytes, count);
  const auto half_done = [&] {
    if (count > 1 && real(descriptor, bytes, count / 2) < 0) return;
  };
  if (const int error = error_of_call(Needs::space, half_done)) {
    errno = error;
    return -1;
  }
  return real(descriptor, bytes, count);
}

int close(int descriptor) {
  using Close = int(int);
  Close* const real = next<Close>("close");
  const int flags = fcntl(descriptor, F_GETFL);
  const bool counts =
      flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && is_in_a_file_system(descriptor);
  if (!counts) return real(descriptor);
  // The descriptor is released also by a close() that fails.
  const int error = error_of_call(Needs::nothing, [] {}), result = real(descriptor);
  if (error == 0) return result;
  errno = error;
  return -1;
}

#define COUNTED(needs, result, name, parameters, arguments)                                 \
  result name parameters {                                                                  \
    return counted(Needs::needs, [&] { return next<result parameters>(#name) arguments; }); \
  }

COUNTED(nothing, int, fsync, (int descriptor), (descriptor))
COUNTED(nothing, int, fdatasync, (int descriptor), (descriptor))
COUNTED(nothing, int, fchmod, (int descriptor, mode_t mode), (descriptor, mode))
COUNTED(nothing, int, flock, (int descriptor, int operation) noexcept, (descriptor, operation))
COUNTED(space, int, rename, (const char* from, const char* to) noexcept, (from, to))
COUNTED(space, int, renameat2,
        (int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept,
        (from_folder, from, to_folder, to, flags))
COUNTED(space, int, link, (const char* from, const char* to) noexcept, (from, to))
COUNTED(space, int, mkdir, (const char* path, mode_t mode) noexcept, (path, mode))
COUNTED(nothing, int, rmdir, (const char* path) noexcept, (path))
COUNTED(nothing, int, unlink, (const char* path) noexcept, (path))
COUNTED(nothing, int, unlinkat, (int folder, const char* path, int flags) noexcept,
        (folder, path, flags))

}  // extern "C"
