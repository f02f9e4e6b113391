#include "core/backend/host_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace gantry {

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

std::size_t left_of(std::size_t limit, std::size_t used) { return limit - std::min(limit, used); }

/// Returns the number that follows `word` at the beginning of a line of a file.
std::optional<std::size_t> number_after(const std::string& path, std::string_view word) {
  std::ifstream file(path);
  for (std::string key; file >> key;) {
    std::size_t value = 0;
    if (key == word && file >> value) return value;
    file.clear();
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

std::optional<std::size_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

std::size_t available_in_system(const std::string& root) {
  if (const auto kilobytes = number_after(root + "/proc/meminfo", "MemAvailable:"))
    return *kilobytes * 1024;
  const long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                               : 0;
}

/// Pages of this process: of the whole address space, and of data and stack.
struct OwnPages {
  std::size_t all = 0, data = 0;
};
OwnPages own_pages(const std::string& root) {
  OwnPages own;
  std::size_t resident = 0, shared = 0, text = 0, library = 0;
  std::ifstream(root + "/proc/self/statm") >> own.all >> resident >> shared >> text >> library >>
      own.data;
  return own;
}

std::size_t left_by_limits(const std::string& root) {
  const auto limit_of = [](auto resource) {
    rlimit limit{};
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
               ? static_cast<std::size_t>(limit.rlim_cur)
               : no_limit;
  };
  const std::size_t space = limit_of(RLIMIT_AS), data = limit_of(RLIMIT_DATA);
  if (space == no_limit && data == no_limit) return no_limit;
  const auto page = static_cast<std::size_t>(std::max(1L, sysconf(_SC_PAGESIZE)));
  const OwnPages own = own_pages(root);
  return std::min(left_of(space, own.all * page), left_of(data, own.data * page));
}

/// File names of one version of control groups; `files` is the key of cached files in memory.stat.
struct GroupFiles {
  const char *folder, *limit, *used, *files;
};
constexpr GroupFiles version_1{"/sys/fs/cgroup/memory", "/memory.limit_in_bytes",
                               "/memory.usage_in_bytes", "total_inactive_file"};
constexpr GroupFiles version_2{"/sys/fs/cgroup", "/memory.max", "/memory.current", "inactive_file"};

/// Returns the least memory that a group and its parents leave. The limit of a group without limit
/// is the word "max", which number_in() does not read.
std::size_t left_by_group(const std::string& root, const GroupFiles& names, std::string group) {
  std::size_t least = no_limit;
  while (true) {
    while (group.ends_with('/')) group.pop_back();
    const std::string folder = root + names.folder + group;
    const auto limit = number_in(folder + names.limit), used = number_in(folder + names.used);
    if (limit && used) {
      const std::size_t files = number_after(folder + "/memory.stat", names.files).value_or(0);
      least = std::min(least, left_of(*limit, left_of(*used, files)));
    }
    if (group.empty()) return least;
    group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

/// Returns the least memory that the groups of this process leave. The lines of /proc/self/cgroup
/// have the form "0::/of/version/2" or "4:memory,cpu:/of/version/1".
std::size_t left_by_groups(const std::string& root) {
  std::size_t least = no_limit;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (controllers == ",,")
      least = std::min(least, left_by_group(root, version_2, group));
    else if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, left_by_group(root, version_1, group));
  }
  return least;
}

}  // namespace

std::size_t free_host_bytes(const std::string& root) {
  return std::min({available_in_system(root), left_by_limits(root), left_by_groups(root)});
}

}  // namespace gantry
