#include "core/io/files/leftovers.hpp"

#include "core/io/files/disk.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/files/temporary_files.hpp"

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

/// Returns NAME of the hidden ".NAME.MARK.old"; empty for any other name.
std::string_view name_set_aside(std::string_view name) {
  const std::size_t tail = 1 + mark_size + aside_end.size();
  if (name.size() <= 1 + tail || !name.starts_with('.') || !name.ends_with(aside_end)) return {};
  const std::string_view end = name.substr(name.size() - tail);
  if (!end.starts_with('.') || !is_random_mark(end.substr(1, mark_size))) return {};
  return name.substr(1, name.size() - tail - 1);
}

/// Returns "gantry-MARK" of "STEM.gantry-MARK.f32" or ".raw", in upper or lower case; empty for any
/// other name.
std::string_view mark_of_data(std::string_view name) {
  constexpr std::size_t end = 4;  // length of ".f32" and ".raw"
  if (!has_extension(name, ".f32") && !has_extension(name, ".raw")) return {};
  const std::string_view stem = name.substr(0, name.size() - end);
  if (stem.size() <= mark_size || stem[stem.size() - mark_size - 1] != '.') return {};
  const std::string_view mark = stem.substr(stem.size() - mark_size);
  return is_random_mark(mark) ? mark : std::string_view();
}

/// Locks a file or folder and calls `action`, unless its writer holds the lock.
template <class Action>
void unless_claimed(const fs::path& path, const Action& action) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  // On a file system without locks flock() fails: the writer may be alive, so nothing is done.
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) action();
  close(descriptor);
}

/// Returns whether these data, whose unique name has this mark, have been replaced: a header for
/// their plain name exists, and neither this header nor any other in the folder contains the mark.
/// False if there is no such header, since it may have been moved, or if a header cannot be read,
/// since it may name the data.
bool were_replaced(const fs::path& data, std::string_view mark) {
  constexpr std::size_t largest_header = std::size_t{1} << 29;
  const fs::path folder = data.parent_path();
  const auto names_data = [&](const std::string& name) {
    const fs::path path = folder / name;
    return (has_extension(name, ".json") || has_extension(name, ".mhd")) &&
           fs::is_regular_file(path) &&
           read_text_file(path.string(), largest_header).find(mark) != std::string::npos;
  };
  const std::string stem = data.stem().stem().string();
  const auto is_own = [&](const std::string& name) {
    return name.starts_with(stem) && std::ranges::count(std::array{".scan.json", ".json", ".mhd"},
                                                        lower_case(name.substr(stem.size()))) > 0;
  };
  try {
    const std::vector<std::string> names = names_in(folder);
    return std::ranges::any_of(names, is_own) && std::ranges::none_of(names, names_data);
  } catch (const std::exception&) {
    return false;
  }
}

void sweep(const fs::path& path) {
  // A lock that could not be had when the file was created does not protect it.
  if (is_temporary_of_this_program(path)) return;
  const std::string name = path.filename().string();
  // The headers are searched while the data are locked: a writer that is still alive may be about
  // to write a header that names these data.
  if (const std::string_view mark = mark_of_data(name); !mark.empty())
    return unless_claimed(path, [&] {
      if (were_replaced(path, mark)) unlink(path.c_str());  // removes a file, never a folder
    });
  if (!name.starts_with('.')) return;
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
    for (const std::string& name : names_in(folder)) sweep(folder / name);
  } catch (const std::exception&) {
    return;  // the next writer tries again
  }
}

}  // namespace gantry
