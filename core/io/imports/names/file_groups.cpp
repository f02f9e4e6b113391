#include "core/io/imports/names/file_groups.hpp"

#include "core/io/files/file_names.hpp"
#include "core/io/imports/names/file_numbers.hpp"

#include <algorithm>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

/// Returns the key of a file in groups whose names differ in their last number alone;
/// `point`: in a decimal one with this character.
std::string group_of(const fs::path& path, std::optional<char> point) {
  const NumberedName name = numbered(path);
  const auto with_point = point ? decimal(path, *point) : std::nullopt;
  const std::string pattern =
      with_point ? with_point->before + "#" + with_point->after
                 : name.before + (name.number || name.has_time ? "#" : "") + name.after;
  return (path.parent_path() / pattern).string();
}

/// Puts the files that begin a series into the group of the series.
void join_series(Groups& groups, std::optional<char> point) {
  std::vector<std::pair<std::string, std::string>> moves;  // the file, the group of its series
  for (const auto& [key, paths] : groups) {
    const bool has_zero = std::ranges::any_of(
        paths, [](const std::string& path) { return numbered(path).number == 0; });
    if (const auto first = file_before(paths.front()); first && !has_zero)
      moves.emplace_back(*first, key);
  }
  for (const auto& [path, key] : moves) {
    const auto from = groups.find(group_of(path, point));
    if (from == groups.end() || std::erase(from->second, path) == 0) continue;
    if (from->second.empty()) groups.erase(from);
    groups[key].insert(groups[key].begin(), path);
  }
}

}  // namespace

std::optional<std::string> file_before(const fs::path& numbered_file) {
  const NumberedName name = numbered(numbered_file);
  const bool is_of_series =
      name.number && name.before.size() > 1 &&
      (name.before.ends_with('@') ||
       (name.before.ends_with('_') && lower_case(name.after).starts_with(".ome.")));
  if (!is_of_series || *name.number == 0) return std::nullopt;
  const std::string base = name.before.substr(0, name.before.size() - 1) + name.after;
  return (numbered_file.parent_path() / base).string();
}

Groups grouped(const std::vector<fs::path>& paths, std::optional<char> point) {
  Groups groups;
  for (const fs::path& path : paths) groups[group_of(path, point)].push_back(path.string());
  join_series(groups, point);
  return groups;
}

Groups::const_iterator largest_of(const Groups& groups) {
  return std::ranges::max_element(groups, {},
                                  [](const auto& group) { return group.second.size(); });
}

std::string names_of(const std::vector<std::string>& paths) {
  const fs::path first = paths.front(), last = paths.back();
  const bool are_apart = first.parent_path() != last.parent_path();
  const auto name = [&](const fs::path& path) {
    return ((are_apart ? path.parent_path().filename() : fs::path()) / path.filename()).string();
  };
  return paths.size() == 1
             ? name(first)
             : name(first) + " to " + name(last) + ", " + std::to_string(paths.size()) + " files";
}

}  // namespace gantry
