#include "core/io/imports/names/frame_roles.hpp"

#include "core/io/files/file_names.hpp"

#include <algorithm>
#include <array>
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

const Role flats = {
    {"flat",       "white",     "bright",     "open",        "ref",         "flatfield",
     "whitefield", "flatimage", "whiteimage", "blankscan",   "refhst",      "ff",
     "ob",         "openbeam",  "floodfield", "flood_field", "brightfield", "emptybeam",
     "empty_beam", "wht",       "hellbild",   "hellbilder",  "hellfeld"},
    {"gain", "gains", "blank", "blanks", "empty", "flood", "floods"}};
const Role darks = {
    {"dark",    "black",  "darkfield",  "darkimage",      "blackimage",    "darkcurrent", "darkend",
     "df",      "dc",     "drk",        "shutter_closed", "shutterclosed", "beam_off",    "beamoff",
     "no_beam", "nobeam", "dunkelbild", "dunkelbilder",   "dunkelfeld",    "blk"},
    {"closed", "close", "off", "offset", "offsets"}};

/// Words beside those of a role that say nothing else.
const Words neutral = {"image", "images",  "img",  "field",  "fields",  "frame", "frames", "before",
                       "after", "pre",     "post", "start",  "end",     "first", "last",   "begin",
                       "avg",   "average", "mean", "median", "initial", "final"};
/// Words that say nothing else beside those of a role in one word: OffsetScan, but scan_offset.
const Words joined_neutral = {"scan", "beam", "current", "ref", "raw", "reference"};

/// Names that others may have as well.
const Role doubtful_flats = {{},
                             {"io", "air", "airs", "airscan", "airscans", "airimage", "background",
                              "backgrounds", "bg", "bkg", "bak"}};
const Role doubtful_darks = {{}, {"di"}};

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

/// Whether words have one of a role and otherwise say nothing. `are_joined`: in one word.
bool is_compound(const Words& words, const Role& role, bool are_joined) {
  const auto is_of_role = [&](const std::string& word) {
    return is_one_of(word, role.anywhere) || is_one_of(word, role.alone);
  };
  return words.size() > 1 && std::ranges::any_of(words, is_of_role) &&
         std::ranges::all_of(words, [&](const std::string& word) {
           return is_of_role(word) || is_one_of(word, neutral) ||
                  (are_joined && is_one_of(word, joined_neutral));
         });
}

/// Whether the letters of a name, or its words, are those of a role and say nothing else.
bool is_named(const std::string& name, const Role& role) {
  if (is_one_of(lower_case(letters_of(name)), role.alone)) return true;
  const std::vector<Words> runs = words_of_runs(name);
  if (std::ranges::any_of(runs, [&](const Words& run) { return is_compound(run, role, true); }))
    return true;
  Words all;
  for (const Words& run : runs) all.insert(all.end(), run.begin(), run.end());
  const bool has_others = std::ranges::any_of(
      name, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });  // letters, too
  return !has_others && is_compound(all, role, false);
}

bool names(const std::string& path, const Role& role) {
  std::string lower = lower_case(path);
  std::ranges::replace_if(
      lower, [](char c) { return c == '-' || c == ' '; }, '_');
  return std::ranges::any_of(role.anywhere,
                             [&](const std::string& word) { return has_word(lower, word); }) ||
         std::ranges::any_of(fs::path(path),
                             [&](const fs::path& part) { return is_named(part.string(), role); });
}

/// Whether a name, or that of its folder if it says nothing itself, is one of a role.
bool is_named_or_its_folder(const fs::path& path, const Role& role) {
  const std::string name = path.filename().string(), own = lower_case(letters_of(name));
  return is_named(name, role) || ((own.empty() || is_one_of(own, neutral)) &&
                                  is_named(path.parent_path().filename().string(), role));
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

bool names_more(const std::string& name) {
  const auto says_no_more = [](const std::string& word) {
    const std::string single = word.substr(0, word.size() - (word.ends_with('s') ? 1 : 0));
    const auto is_part = [&](const std::string& known) {
      return known.find(single) != std::string::npos;  // "shutter" of "shutter_closed"
    };
    return is_one_of(word, neutral) || is_one_of(word, joined_neutral) ||
           std::ranges::any_of(std::array{&flats, &darks}, [&](const Role* role) {
             return std::ranges::any_of(role->anywhere, is_part) || is_one_of(word, role->alone);
           });
  };
  return std::ranges::any_of(words_of_runs(name), [&](const Words& run) {
    return !std::ranges::all_of(run, says_no_more);
  });
}

bool may_name_flat(const std::string& path) {
  const std::string name = lower_case(fs::path(path).filename().string());
  return is_named_or_its_folder(path, doubtful_flats) ||
         (name.starts_with("i0") && letters_of(name) == "i" &&
          (name.size() == 2 || std::isdigit(static_cast<unsigned char>(name[2])) == 0));
}
bool may_name_dark(const std::string& path) { return is_named_or_its_folder(path, doubtful_darks); }

}  // namespace gantry
