#include "core/io/leftovers.hpp"

#include "core/io/disk.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace gantry {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view mark_start = "gantry-", unfinished_end = ".tmp", aside_end = ".old";
constexpr std::size_t mark_size = mark_start.size() + 16;

/// NAME of the hidden ".NAME.MARK.old"; empty for any other name.
std::string_view name_set_aside(std::string_view name) {
  const std::size_t tail = 1 + mark_size + aside_end.size();
  if (name.size() <= 1 + tail || !name.starts_with('.') || !name.ends_with(aside_end)) return {};
  const std::string_view end = name.substr(name.size() - tail);
  if (!end.starts_with('.') || !is_random_mark(end.substr(1, mark_size))) return {};
  return name.substr(1, name.size() - tail - 1);
}

/// Calls `action` while holding the lock of what lies there, unless its writer holds it.
template <class Action>
void unless_claimed(const fs::path& path, const Action& action) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  // Where the file system has no locks nobody knows whether the writer lives: all is left alone.
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) action();
  close(descriptor);
}

void sweep(const fs::path& path) {
  const std::string name = path.filename().string();
  if (is_unfinished_name(name)) return remove_abandoned(path);
  const std::string_view aside = name_set_aside(name);
  if (aside.empty()) return;
  std::error_code ignored;
  const fs::path place = path.parent_path() / aside;
  if (fs::exists(fs::symlink_status(place, ignored))) return remove_abandoned(path);
  unless_claimed(path, [&] { fs::rename(path, place, ignored); });
}

}  // namespace

std::string random_mark() {
  std::random_device device;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x%08x", static_cast<unsigned>(device()),
                static_cast<unsigned>(device()));
  return std::string(mark_start) + digits.data();
}

bool is_random_mark(std::string_view text) {
  return text.size() == mark_size && text.starts_with(mark_start) &&
         std::ranges::all_of(text.substr(mark_start.size()), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string unfinished_name() { return "." + random_mark() + std::string(unfinished_end); }

bool is_unfinished_name(std::string_view name) {
  return name.size() == 1 + mark_size + unfinished_end.size() && name.starts_with('.') &&
         name.ends_with(unfinished_end) && is_random_mark(name.substr(1, mark_size));
}

bool claim(int descriptor) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat status = {};
  return fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

void remove_abandoned(const fs::path& path) {
  unless_claimed(path, [&] { remove_tree(path); });
}

fs::path set_aside_name(const fs::path& folder) {
  std::string name = ".";
  name.append(folder.filename().string()).append(".").append(random_mark()).append(aside_end);
  return folder.parent_path() / name;
}

void sweep_leftovers(const fs::path& folder) noexcept {
  try {
    for (const std::string& name : names_in(folder))
      if (name.starts_with('.')) sweep(folder / name);
  } catch (const std::exception&) {
    return;  // the next writer sweeps again
  }
}

}  // namespace gantry
