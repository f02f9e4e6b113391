#include "core/io/imports/names/flat_series.hpp"

#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/names/frame_roles.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>

namespace gantry {

namespace {

namespace fs = std::filesystem;
using Words = std::array<std::string_view, 6>;

constexpr Words words_before = {"before", "pre", "start", "first", "begin", "initial"};
constexpr Words words_after = {"after", "post", "end", "last", "finish", "final"};

bool is_any(std::string_view word, const Words& words) {
  return std::ranges::find(words, word) != words.end();
}

/// Returns the folder in which all files or their folders lie.
fs::path common_folder(const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  fs::path common = fs::path(paths.front()).parent_path();
  for (const std::string& path : paths) {
    const fs::path folder = fs::path(path).parent_path();
    const auto differs =
        std::mismatch(common.begin(), common.end(), folder.begin(), folder.end()).first;
    fs::path shared;
    for (auto part = common.begin(); part != differs; ++part) shared /= *part;
    common = shared;
  }
  return common;
}

/// The words and the numbers of a name, in lower case: "flat", "0", "001". Those of the folder
/// count but for the `common` one, which may be called after the scan: "scan_after_repair".
std::vector<std::string> pieces_of(const std::string& path, const fs::path& common) {
  const fs::path file(path), folder = file.parent_path();
  const std::string of_folder = folder.filename().string();
  const bool counts = folder != common || names_flat(of_folder);
  const std::string name = lower_case((counts ? of_folder : "") + "/" + file.stem().string());
  std::vector<std::string> pieces;
  char before = '/';
  for (const char c : name) {
    const bool is_word = std::isalnum(static_cast<unsigned char>(c)) != 0,
               goes_on = is_word && !pieces.empty() &&
                         std::isalnum(static_cast<unsigned char>(before)) != 0 &&
                         is_digit(c) == is_digit(before);
    if (goes_on)
      pieces.back() += c;
    else if (is_word)
      pieces.emplace_back(1, c);
    before = c;
  }
  return pieces;
}

using Names = std::vector<std::vector<std::string>>;

/// Returns -1 for a name with a word for before, 1 for after; 0 for neither or both.
int time_by_words(const std::vector<std::string>& pieces) {
  const auto has = [&](const Words& words) {
    return std::ranges::any_of(words, [&](std::string_view word) {
      return std::ranges::find(pieces, word) != pieces.end();
    });
  };
  return static_cast<int>(has(words_after)) - static_cast<int>(has(words_before));
}

std::vector<double> by_words(const Names& names, int projections) {
  std::vector<double> views;
  for (const auto& pieces : names) {
    const int time = time_by_words(pieces);
    if (time == 0) return {};
    views.push_back(time < 0 ? -0.5 : projections - 0.5);
  }
  return views;
}

/// The number of a short piece of digits; nothing for words and for numbers that do not fit.
std::optional<int> number_in(const std::string& piece) {
  if (piece.size() > 8 || !std::ranges::all_of(piece, is_digit)) return std::nullopt;
  return std::stoi(piece);
}

/// Takes the first number that differs between the names as that of the series, if it has two
/// values, 0 and 1 or 1 and 2, and another number follows or each series is one file.
std::vector<double> by_series(const Names& names, int projections) {
  const std::size_t length = names.front().size();
  for (std::size_t at = 0; at < length; ++at) {
    std::set<std::optional<int>> values;
    for (const auto& pieces : names) {
      if (pieces.size() != length) return {};
      values.insert(number_in(pieces[at]));
    }
    if (values.size() == 1) continue;
    const auto low = *values.begin(), high = *values.rbegin();
    const bool is_series = values.size() == 2 && low && *low <= 1 && *high == *low + 1 &&
                           (at + 1 < length || (names.size() == 2 && *low == 0));
    if (!is_series) return {};
    std::vector<double> views;
    for (const auto& pieces : names)
      views.push_back(number_in(pieces[at]) == low ? -0.5 : projections - 0.5);
    return views;
  }
  return {};
}

/// Returns the number of the projection that follows a flat, as ESRF writes it in names:
/// refHST0090, the median of several flats, and ref0003_0090, one of them. Nothing for other names.
std::optional<int> next_projection(const std::vector<std::string>& pieces) {
  constexpr std::size_t least_digits = 4;  // by which these numbers differ from those of series
  const std::size_t count = pieces.size();
  const auto next = count > 1 ? number_in(pieces.back()) : std::nullopt;
  if (!next) return std::nullopt;
  const bool is_one_of_several =
      count > 2 && (pieces[count - 3] == "ref" || pieces[count - 3].ends_with("bak")) &&
      number_in(pieces[count - 2]) && pieces[count - 2].size() >= least_digits &&
      pieces.back().size() >= least_digits;
  return pieces[count - 2] == "refhst" || is_one_of_several ? next : std::nullopt;
}

std::vector<double> by_next_projection(const Names& names, int projections) {
  std::vector<double> views;
  std::set<int> numbers;
  bool are_medians = true;
  for (const auto& pieces : names) {
    const auto next = next_projection(pieces);
    if (!next) return {};
    views.push_back(std::min(*next, projections) - 0.5);
    numbers.insert(*next);
    are_medians = are_medians && pieces[pieces.size() - 2] == "refhst";
  }
  // Numbers without gaps rather count the flats of series: ref_0000_0001, ref_0000_0002.
  const int last_of_count = *numbers.begin() + static_cast<int>(numbers.size()) - 1;
  if (!are_medians && numbers.size() > 1 && *numbers.rbegin() == last_of_count) return {};
  return views;
}

/// Takes the first number of the names that begins with 0, ends with the last projection or behind
/// it, and leaves out at least half of those in between, as no count of flats does, as that of the
/// projection that follows a flat; the largest one as after all: flat_0000, flat_0090, flat_0180.
std::vector<double> by_own_projection(const Names& names, int projections) {
  for (std::size_t at = 0; at < names.front().size(); ++at) {
    std::vector<double> views;
    std::set<int> numbers;
    for (const auto& pieces : names) {
      const auto number =
          pieces.size() == names.front().size() ? number_in(pieces[at]) : std::nullopt;
      if (!number) break;
      numbers.insert(*number);
      views.push_back((*number + 1 < projections ? *number : projections) - 0.5);
    }
    if (views.size() == names.size() && *numbers.begin() == 0 && numbers.size() > 1 &&
        2 * std::ssize(numbers) <= *numbers.rbegin() && *numbers.rbegin() >= projections - 1 &&
        *numbers.rbegin() <= projections)
      return views;
  }
  return {};
}

/// Takes the files of a folder "flats" as those before, and of "flats2" beside it as those after
/// the projections.
std::vector<double> by_second_folder(const std::vector<std::string>& paths, int projections) {
  std::set<std::string> folders;
  for (const std::string& path : paths) folders.insert(fs::path(path).parent_path().string());
  if (folders.size() != 2) return {};
  const std::string &first = *folders.begin(), &second = *folders.rbegin();
  if (second != first + "2" || !names_flat(fs::path(first).filename().string())) return {};
  std::vector<double> views;
  for (const std::string& path : paths)
    views.push_back(fs::path(path).parent_path() == first ? -0.5 : projections - 0.5);
  return views;
}

}  // namespace

bool says_time_of_flats(std::string_view word) {
  return is_any(word, words_before) || is_any(word, words_after);
}

std::vector<double> views_of_flats(const std::vector<std::string>& paths, int projections) {
  Names names;
  const fs::path common = common_folder(paths);
  for (const std::string& path : paths) names.push_back(pieces_of(path, common));
  if (names.empty() || std::ranges::any_of(names, &std::vector<std::string>::empty)) return {};
  for (const auto& way : {by_next_projection, by_words, by_own_projection, by_series})
    if (std::vector<double> views = way(names, projections); !views.empty()) return views;
  return by_second_folder(paths, projections);
}

Assumption time_of_flats(const std::vector<double>& views, int projections) {
  const auto before = std::ranges::count(views, -0.5),
             after = std::ranges::count(views, projections - 0.5),
             between = std::ssize(views) - before - after;
  return {"time of the flats",
          std::to_string(before) + " before, " + std::to_string(after) + " after the projections" +
              (between > 0 ? ", " + std::to_string(between) + " in between" : ""),
          "by their names"};
}

}  // namespace gantry
