#include "core/io/imports/names/doubtful_roles.hpp"

#include "core/io/files/file_names.hpp"
#include "core/io/imports/names/frame_roles.hpp"
#include "core/io/imports/names/natural_order.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace gantry {

namespace {

namespace fs = std::filesystem;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::string lower_stem(const std::string& path) {
  return lower_case(fs::path(path).stem().string());
}

/// The names of a file that may be that of a role: its path within the folder, and what its name
/// has behind that of the projections: "bak_0000" of rockbak_0000 beside rock_0000, "air_0000" of
/// rock_air_0000 beside rock_scan_0000.
std::vector<std::string> names_of_file(const std::string& path, const std::string& folder,
                                       const std::string& projection) {
  std::vector<std::string> names = {
      fs::path(path).lexically_relative(folder).replace_extension().string()};
  const std::string own = lower_stem(path), other = lower_stem(projection);
  std::size_t whole = other.size();
  while (whole > 0 && !is_letter(other[whole - 1])) --whole;
  if (whole > 0 && own.starts_with(other.substr(0, whole))) {
    if (names_dark(other) || names_flat(other)) names.clear();
    names.push_back(own.substr(whole));
  }
  auto common = static_cast<std::size_t>(std::ranges::mismatch(own, other).in1 - own.begin());
  while (common > 0 && own[common - 1] != '_' && own[common - 1] != '-') --common;
  if (common > 0) names.push_back(own.substr(common));
  return names;
}

}  // namespace

DoubtfulRoles doubtful_roles(const Groups& left, const std::string& folder,
                             const std::string& projection) {
  DoubtfulRoles found;
  for (const auto& group : left) {
    const std::vector<std::string>& paths = group.second;
    const auto is_any = [&](const auto& may_name, const auto& says) {
      return std::ranges::all_of(paths, [&](const std::string& path) {
        const std::vector<std::string> names = names_of_file(path, folder, projection);
        return std::ranges::any_of(names, may_name) || std::ranges::any_of(names, says);
      });
    };
    const bool is_dark = is_any(may_name_dark, names_dark);
    if (!is_dark && !is_any(may_name_flat, names_flat)) return {};
    if (is_dark)
      found.darks.insert(found.darks.end(), paths.begin(), paths.end());
    else
      std::ranges::sort(found.flats.emplace_back(paths), natural_less);
  }
  std::ranges::sort(found.darks, natural_less);
  return found;
}

std::string doubtful_note(const std::vector<std::string>& paths, const std::string& role,
                          const std::string& why) {
  // A name without letters is of no help without its folder, by which it was told.
  std::string names = names_of(paths);
  if (std::ranges::none_of(lower_stem(paths.front()), is_letter) &&
      names.find('/') == std::string::npos)
    names = fs::path(paths.front()).parent_path().filename().string() + "/" + names;
  return names + (paths.size() == 1 ? " was" : ", were") + " taken as " + role +
         " by a name that others may have, too" + (why.empty() ? "" : ", and ") + why +
         ": if that is wrong, name the flats (--flat) and darks (--dark), or move these files to "
         "another folder";
}

}  // namespace gantry
