#pragma once

// The calls with which a program changes files, counted: a child process is killed before the nth;
// noted; and made to fail.
// These definitions take the place of the C library's in the whole program: include this in the one
// source file of a test. It serves a single writer within the test's own process;
// tests/support/preloaded/failing_file_calls.cpp serves whole programs as they are installed.

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <regex>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gantry::test {

/// A call that fails, after some of its name that do not.
struct FailingCall {
  std::string name;  ///< of the function; "open new" and "open folder" for kinds of open()
  long before = 0;
  int error = 0;
};

struct FileCalls {
  long left = -1;        ///< calls until the process is killed; below 0: it is not
  bool exchange = true;  ///< whether the file system can exchange two names
  bool links = true;     ///< whether it has hard links
  FailingCall failing = {};
  /// Where not null, what is written, locked, synced, renamed, linked and removed, as in
  /// "rename .MARK.tmp a".
  std::vector<std::string>* log = nullptr;
  std::string created =
      {};  ///< the path of the last new file or folder, also where the call failed
};
inline FileCalls file_calls;

/// Notes a call on these files, whose names are those without folders and random parts.
inline void log_file_call(std::string call, const std::vector<std::filesystem::path>& files) {
  static const std::regex mark("gantry-[0-9a-f]{16}");
  std::vector<std::string>* const log = std::exchange(file_calls.log, nullptr);
  if (log == nullptr) return;
  for (const auto& file : files)
    call += " " + std::regex_replace(file.filename().string(), mark, "MARK");
  if (log->empty() || log->back() != call) log->push_back(std::move(call));
  file_calls.log = log;
}

inline void log_file_call(const std::string& call, int descriptor) {
  std::error_code error;
  log_file_call(
      call, {std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error)});
}

/// Returns whether a call of this name fails; errno is set then.
inline bool file_call_fails(const char* name) {
  FailingCall& failing = file_calls.failing;
  if (failing.name != name || failing.before-- != 0) return false;
  failing.name.clear();
  errno = failing.error;
  return true;
}

inline void count_file_call() {
  if (file_calls.left == 0) kill(getpid(), SIGKILL);
  if (file_calls.left > 0) --file_calls.left;
}

template <class Function>
Function* next_definition(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Runs `write` in a child process that is killed before its nth call (from 0). False when it came
/// to its end before that.
inline bool is_killed_at(long n, const std::function<void()>& write) {
  const pid_t child = fork();
  if (child == 0) {
    file_calls.left = n;
    try {
      write();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(3);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return true;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) qFatal("the writer failed by itself");
  return false;
}

}  // namespace gantry::test

extern "C" {

int open(const char* path, int flags, ...) {
  gantry::test::count_file_call();
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  if ((flags & O_CREAT) != 0) gantry::test::file_calls.created = path;
  if ((flags & O_CREAT) != 0 && gantry::test::file_call_fails("open new")) return -1;
  if ((flags & O_DIRECTORY) != 0 && gantry::test::file_call_fails("open folder")) return -1;
  return gantry::test::next_definition<int(const char*, int, ...)>("open")(path, flags, mode);
}

/// Never more than half of what is left, so that a kill also falls within a file.
ssize_t write(int descriptor, const void* bytes, size_t count) {
  gantry::test::count_file_call();
  gantry::test::log_file_call("write", descriptor);
  if (gantry::test::file_call_fails("write")) return -1;
  const bool halved = gantry::test::file_calls.left >= 0 && count > 1;
  return gantry::test::next_definition<ssize_t(int, const void*, size_t)>("write")(
      descriptor, bytes, halved ? count / 2 : count);
}

int fsync(int descriptor) {
  gantry::test::count_file_call();
  gantry::test::log_file_call("sync", descriptor);
  if (gantry::test::file_call_fails("fsync")) return -1;
  return gantry::test::next_definition<int(int)>("fsync")(descriptor);
}

int rename(const char* from, const char* to) noexcept {
  gantry::test::count_file_call();
  gantry::test::log_file_call("rename", {from, to});
  if (gantry::test::file_call_fails("rename")) return -1;
  return gantry::test::next_definition<int(const char*, const char*)>("rename")(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  gantry::test::count_file_call();
  if (!gantry::test::file_calls.exchange) {
    errno = EINVAL;
    return -1;
  }
  gantry::test::log_file_call("exchange", {from, to});
  if (gantry::test::file_call_fails("renameat2")) return -1;
  return gantry::test::next_definition<int(int, const char*, int, const char*, unsigned)>(
      "renameat2")(from_folder, from, to_folder, to, flags);
}

// fcntl.h has a struct of this name.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
int flock(int descriptor, int operation) noexcept {
  gantry::test::log_file_call("lock", descriptor);
  if (gantry::test::file_call_fails("flock")) return -1;
  return gantry::test::next_definition<int(int, int)>("flock")(descriptor, operation);
}
#pragma GCC diagnostic pop

int fchmod(int descriptor, mode_t mode) noexcept {
  if (gantry::test::file_call_fails("fchmod")) return -1;
  return gantry::test::next_definition<int(int, mode_t)>("fchmod")(descriptor, mode);
}

/// Releases the descriptor also where it fails.
int close(int descriptor) {
  const int result = gantry::test::next_definition<int(int)>("close")(descriptor);
  return gantry::test::file_call_fails("close") ? -1 : result;
}

int link(const char* from, const char* to) noexcept {
  gantry::test::count_file_call();
  if (!gantry::test::file_calls.links) {
    errno = EPERM;
    return -1;
  }
  gantry::test::log_file_call("link", {from, to});
  return gantry::test::next_definition<int(const char*, const char*)>("link")(from, to);
}

int unlink(const char* path) noexcept {
  gantry::test::count_file_call();
  gantry::test::log_file_call("remove", {path});
  return gantry::test::next_definition<int(const char*)>("unlink")(path);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  gantry::test::count_file_call();
  return gantry::test::next_definition<int(int, const char*, int)>("unlinkat")(folder, path, flags);
}

int mkdir(const char* path, mode_t mode) noexcept {
  gantry::test::count_file_call();
  gantry::test::file_calls.created = path;
  if (gantry::test::file_call_fails("mkdir")) return -1;
  return gantry::test::next_definition<int(const char*, mode_t)>("mkdir")(path, mode);
}

}  // extern "C"
