#include "core/io/imports/tables/frame_names.hpp"

#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace gantry {

namespace {

/// Returns a path without its folders, which may be those of Windows, in lower case.
std::string file_in(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return lower_case(std::string(slash == std::string_view::npos ? path : path.substr(slash + 1)));
}

/// Returns the name of the folder that a path names before its file; "" without one.
std::string folder_in(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? std::string() : file_in(path.substr(0, slash));
}

/// Returns where the extension of a name begins, a point and a letter at first; its end without.
std::size_t begin_of_extension(std::string_view name) {
  const std::size_t point = name.rfind('.');
  constexpr std::size_t longest = 6;
  const bool is_one = point != std::string_view::npos && point > 0 && point + 1 < name.size() &&
                      name.size() - point <= longest && !is_digit(name[point + 1]);
  return is_one ? point : name.size();
}

/// The frames by the names of their files, with and without extension.
class FramesByName {
 public:
  explicit FramesByName(const std::vector<std::string>& files) : files_(files) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string name = file_in(files[i]);
      by_name_.emplace(name, static_cast<int>(i));
      by_stem_.emplace(name.substr(0, begin_of_extension(name)), static_cast<int>(i));
    }
  }

  /// Returns the frame that a word names; -1: none.
  int frame(std::string_view word) const {
    const std::string name = file_in(word);
    for (const auto& [names, key] :
         {std::pair(&by_name_, name), std::pair(&by_stem_, name),
          std::pair(&by_stem_, name.substr(0, begin_of_extension(name)))})
      if (const auto found = names->find(key); found != names->end()) return found->second;
    return -1;
  }
  /// Whether the folder before the file that a word names is that of the frame.
  bool has_folder_of(std::string_view word, int frame) const {
    return folder_in(word) == folder_in(files_[static_cast<std::size_t>(frame)]);
  }

 private:
  const std::vector<std::string>& files_;
  std::map<std::string, int> by_name_, by_stem_;
};

/// Takes the frame of a line away where another line names the same one in its own folder: files
/// in several folders may have one name.
void prefer_own_folder(const FramesByName& by_name, NamesOfFrames& names) {
  std::set<int> in_own;
  for (std::size_t i = 0; i < names.words.size(); ++i)
    if (names.frames[i] >= 0 && by_name.has_folder_of(names.words[i], names.frames[i]))
      in_own.insert(names.frames[i]);
  for (std::size_t i = 0; i < names.words.size(); ++i)
    if (in_own.contains(names.frames[i]) && !folder_in(names.words[i]).empty() &&
        !by_name.has_folder_of(names.words[i], names.frames[i]))
      names.frames[i] = -1;
}

std::size_t distinct_frames(const NamesOfFrames& names) {
  std::set<int> frames(names.frames.begin(), names.frames.end());
  frames.erase(-1);
  return frames.size();
}

/// Returns what a column says of the frames; nothing where it has numbers that are not all names.
std::optional<NamesOfFrames> names_in(const AngleTable& table, std::size_t column,
                                      const FramesByName& by_name, std::size_t frames) {
  NamesOfFrames names{column, {}, {}};
  bool are_numbers = true, has_zeros = false;
  for (const TableLine& line : table.lines) {
    const auto words = line.words();
    const std::string_view word = column < words.size() ? words[column] : std::string_view();
    are_numbers = are_numbers && std::ranges::all_of(word, is_digit);
    has_zeros = has_zeros || (word.size() > 1 && word[0] == '0' && is_digit(word[1]));
    names.words.emplace_back(word);
    names.frames.push_back(
        number_of_word(word) && !std::ranges::all_of(word, is_digit) ? -1 : by_name.frame(word));
  }
  prefer_own_folder(by_name, names);
  const std::size_t found = distinct_frames(names);
  const bool are_names =
      !are_numbers || ((table.names_any_angle() || has_zeros) && found == frames);
  return found > 0 && are_names ? std::optional(std::move(names)) : std::nullopt;
}

}  // namespace

std::optional<NamesOfFrames> names_of_frames(const AngleTable& table,
                                             const std::vector<std::string>& files) {
  const FramesByName by_name(files);
  std::optional<NamesOfFrames> best;
  for (std::size_t column = 0; column < table.columns(); ++column) {
    if (table.names_angle(column)) continue;
    auto names = names_in(table, column, by_name, files.size());
    if (names && (!best || distinct_frames(*names) > distinct_frames(*best)))
      best = std::move(names);
  }
  return best;
}

std::optional<std::size_t> column_of_file_names(const AngleTable& table) {
  for (std::size_t column = 0; column < table.columns(); ++column)
    if (std::ranges::all_of(table.lines, [&](const TableLine& line) {
          const auto words = line.words();
          return column < words.size() && !line.value(column) &&
                 begin_of_extension(words[column]) < words[column].size();
        }))
      return column;
  return std::nullopt;
}

}  // namespace gantry
