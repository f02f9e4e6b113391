#include "core/io/imports/names/file_copies.hpp"

#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

/// Removes a number in round brackets, and blanks before it, from the end of a name.
void remove_count(std::string& stem) {
  if (!stem.ends_with(')')) return;
  const std::size_t open = stem.rfind('(');
  if (open == std::string::npos || open == 0 || open + 2 >= stem.size() ||
      !std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(open) + 1, stem.end() - 1, is_digit))
    return;
  stem.resize(open);
  while (stem.ends_with(' ')) stem.pop_back();
}

/// Returns the path of the file of which another one is called a copy; its own path of others.
std::string path_of_original(const std::string& path) {
  constexpr std::array<std::string_view, 3> before = {"copy of ", "kopie von ", "copie de "};
  constexpr std::array<std::string_view, 5> after = {" - copy", " - kopie", " copy", "_copy",
                                                     " kopie"};
  const fs::path whole(path);
  std::string stem = whole.stem().string();
  remove_count(stem);
  const std::string lower = lower_case(stem);
  for (const std::string_view word : before)
    if (lower.starts_with(word)) {
      stem.erase(0, word.size());
      break;
    }
  for (const std::string_view word : after)
    if (lower.ends_with(word) && stem.size() > word.size()) {
      stem.resize(stem.size() - word.size());
      break;
    }
  return (whole.parent_path() / (stem + whole.extension().string())).string();
}

bool have_same_bytes(const std::string& one, const std::string& other) {
  std::error_code error;
  if (fs::file_size(one, error) != fs::file_size(other, error) || error) return false;
  std::ifstream a(one, std::ios::binary), b(other, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return a && b && std::equal(Bytes(a), Bytes(), Bytes(b), Bytes());
}

std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

}  // namespace

FileCopies copies_among(const std::vector<std::string>& files, const std::set<std::string>& taken) {
  std::map<std::string, std::string> taken_as;  // by the path of the original
  for (const std::string& path : taken) taken_as.emplace(path_of_original(path), path);
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& path : files) {
    const auto found = taken_as.find(path_of_original(path));
    if (found != taken_as.end()) pairs.emplace_back(path, found->second);
  }
  FileCopies copies;
  if (pairs.empty()) return copies;
  std::ranges::sort(pairs, {}, &std::pair<std::string, std::string>::second);
  for (const auto& [path, other] : {pairs.front(), pairs.back()})
    if (!have_same_bytes(path, other)) return copies;
  for (const auto& [path, other] : pairs) copies.paths.insert(path);
  copies.note = (pairs.size() == 1 ? "1 file was left out as a copy of another: "
                                   : std::to_string(pairs.size()) +
                                         " files were left out as copies of others, the first: ") +
                name_of(pairs.front().first) + " holds the same bytes as " +
                name_of(pairs.front().second);
  return copies;
}

}  // namespace gantry
