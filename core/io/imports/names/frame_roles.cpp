#include "core/io/imports/names/frame_roles.hpp"

#include "core/io/files/file_names.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <vector>

namespace gantry {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The words for a kind of frames.
struct Role {
  Words anywhere;  ///< in a name
  Words alone;     ///< may also be those of a scan: they count where a name has no other letters
};

const Role flats = {{"flat", "white", "bright", "open", "ref", "flatfield", "whitefield",
                     "flatimage", "whiteimage", "blankscan", "refhst", "ff", "ob", "openbeam"},
                    {"gain", "gains", "blank", "blanks", "empty"}};
const Role darks = {
    {"dark", "black", "darkfield", "darkimage", "blackimage", "darkcurrent", "darkend", "df", "dc",
     "drk", "shutter_closed", "shutterclosed", "beam_off", "beamoff"},
    {"closed", "close", "off", "offset", "offsets"}};

/// Words beside those of a role that say nothing else.
const Words neutral = {"image",  "images",  "img",   "field", "fields",   "frame",   "frames",
                       "scan",   "before",  "after", "pre",   "post",     "start",   "end",
                       "first",  "last",    "begin", "beam",  "avg",      "average", "mean",
                       "median", "current", "ref",   "raw",   "reference"};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_capital(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_one_of(const std::string& word, const Words& words) {
  return std::ranges::find(words, word) != words.end();
}

/// Returns a name without the bytes of ASCII that are no letters.
std::string letters_of(std::string name) {
  std::erase_if(name, [](unsigned char c) { return c < 0x80 && std::isalpha(c) == 0; });
  return name;
}

/// Returns the words of each run of letters, in lower case, where capitals begin words: "white" and
/// "image" of WhiteImage, "before" and "ff" of BeforeFF.
std::vector<Words> words_of_runs(const std::string& name) {
  std::vector<Words> runs;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_letter(name[i])) continue;
    const bool begins_run = i == 0 || !is_letter(name[i - 1]);
    const bool ends_capitals = !begins_run && is_capital(name[i - 1]) && i + 1 < name.size() &&
                               is_letter(name[i + 1]) && !is_capital(name[i + 1]);
    const bool begins_word =
        !begins_run && is_capital(name[i]) && (!is_capital(name[i - 1]) || ends_capitals);
    if (begins_run) runs.emplace_back();
    if (begins_run || begins_word) runs.back().emplace_back();
    runs.back().back() += lower_case(std::string(1, name[i]));
  }
  return runs;
}

/// Whether words have one of a role and otherwise say nothing.
bool is_compound(const Words& words, const Role& role) {
  const auto is_of_role = [&](const std::string& word) {
    return is_one_of(word, role.anywhere) || is_one_of(word, role.alone);
  };
  return words.size() > 1 && std::ranges::any_of(words, is_of_role) &&
         std::ranges::all_of(words, [&](const std::string& word) {
           return is_of_role(word) || is_one_of(word, neutral);
         });
}

bool names(const std::string& path, const Role& role) {
  const std::string lower = lower_case(path);
  if (std::ranges::any_of(role.anywhere,
                          [&](const std::string& word) { return has_word(lower, word); }))
    return true;
  return std::ranges::any_of(fs::path(path), [&](const fs::path& part) {
    return is_one_of(lower_case(letters_of(part.string())), role.alone) ||
           std::ranges::any_of(words_of_runs(part.string()),
                               [&](const Words& words) { return is_compound(words, role); });
  });
}

}  // namespace

bool has_word(const std::string& name, const std::string& word) {
  for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
    std::size_t end = at + word.size();
    if (end < name.size() && name[end] == 's') ++end;
    if ((at == 0 || !is_letter(name[at - 1])) && (end == name.size() || !is_letter(name[end])))
      return true;
  }
  return false;
}

bool names_flat(const std::string& path) { return names(path, flats); }
bool names_dark(const std::string& path) { return names(path, darks); }

bool may_name_flat(const std::string& path) {
  const std::string stem = lower_case(fs::path(path).stem().string());
  return letters_of(stem) == "io" ||
         (stem.starts_with("i0") && letters_of(stem) == "i" &&
          (stem.size() == 2 || std::isdigit(static_cast<unsigned char>(stem[2])) == 0));
}
bool may_name_dark(const std::string& path) {
  return letters_of(lower_case(fs::path(path).stem().string())) == "di";
}

}  // namespace gantry
