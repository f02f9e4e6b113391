#include "core/io/files/temporary_files.hpp"

#include "core/io/files/disk.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <system_error>

namespace gantry {

namespace {

struct Noted {
  std::mutex mutex;
  std::set<std::filesystem::path> paths;
};
/// The object is never destroyed, since other threads may still write while the program ends.
Noted& noted() {
  static auto* const all = new Noted;
  return *all;
}

}  // namespace

void note_temporary(const std::filesystem::path& path) {
  const std::scoped_lock lock(noted().mutex);
  noted().paths.insert(path);
}

void forget_temporary(const std::filesystem::path& path) noexcept {
  const std::scoped_lock lock(noted().mutex);
  noted().paths.erase(path);
}

bool is_temporary_of_this_program(const std::filesystem::path& path) {
  const std::scoped_lock lock(noted().mutex);
  return std::ranges::any_of(
      noted().paths, [name = path.filename()](const auto& one) { return one.filename() == name; });
}

void remove_temporaries() noexcept {
  noted().mutex.lock();  // stays locked, so that no other file is noted
  for (const auto& path : noted().paths) remove_tree(path);
}

}  // namespace gantry
