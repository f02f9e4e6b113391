#include "core/io/imports/names/angle_names.hpp"

#include "core/io/files/file_names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <numbers>
#include <span>

namespace gantry {

namespace {

constexpr double radian = 180 / std::numbers::pi;

/// A unit whose words also say other things: the revision of a file, or how far a scan went.
constexpr const char* turns = "turns";

struct NamedUnit {
  std::string_view word, name;
  double degrees;
};
constexpr std::array<NamedUnit, 40> units = {{{"rad", "radians", radian},
                                              {"rads", "radians", radian},
                                              {"radian", "radians", radian},
                                              {"radians", "radians", radian},
                                              {"mrad", "milliradians", radian / 1000},
                                              {"millirad", "milliradians", radian / 1000},
                                              {"milliradian", "milliradians", radian / 1000},
                                              {"milliradians", "milliradians", radian / 1000},
                                              {"deg", "degrees", 1},
                                              {"degs", "degrees", 1},
                                              {"degree", "degrees", 1},
                                              {"degrees", "degrees", 1},
                                              {unclear_grads, unclear_grads, 1},
                                              {"gon", "gon", 0.9},
                                              {"gons", "gon", 0.9},
                                              {"gradian", "gon", 0.9},
                                              {"gradians", "gon", 0.9},
                                              {"\u00b0", "degrees", 1},
                                              {"mdeg", "millidegrees", 1e-3},
                                              {"millidegree", "millidegrees", 1e-3},
                                              {"millidegrees", "millidegrees", 1e-3},
                                              {"urad", "microradians", radian * 1e-6},
                                              {"microrad", "microradians", radian * 1e-6},
                                              {"microrads", "microradians", radian * 1e-6},
                                              {"microradian", "microradians", radian * 1e-6},
                                              {"microradians", "microradians", radian * 1e-6},
                                              {"arcmin", "arcminutes", 1 / 60.0},
                                              {"arcmins", "arcminutes", 1 / 60.0},
                                              {"arcminute", "arcminutes", 1 / 60.0},
                                              {"arcminutes", "arcminutes", 1 / 60.0},
                                              {"arcsec", "arcseconds", 1 / 3600.0},
                                              {"arcsecs", "arcseconds", 1 / 3600.0},
                                              {"arcsecond", "arcseconds", 1 / 3600.0},
                                              {"arcseconds", "arcseconds", 1 / 3600.0},
                                              {"rev", turns, 360},
                                              {"revs", turns, 360},
                                              {"revolution", turns, 360},
                                              {"revolutions", turns, 360},
                                              {"turn", turns, 360},
                                              {"turns", turns, 360}}};

using Words = std::span<const std::string_view>;

bool is_any(std::string_view word, Words words) {
  return std::ranges::find(words, word) != words.end();
}
bool have_any(const std::vector<std::string>& names, Words words) {
  return std::ranges::any_of(names, [&](const std::string& name) { return is_any(name, words); });
}

constexpr std::array<std::string_view, 17> angles = {
    "angle", "angles", "theta", "thetas",          "winkel",     "rotation", "rot",
    "phi",   "omega",  "ang",   "rotationswinkel", "drehwinkel", "srot",     "hrsrot",
    "rz",    "diffrz", "hrrz"};
/// Of columns that are never the angles of the scan: other parts that turn, above all the crystals
/// of a monochromator, and what is not the angle itself.
constexpr std::array<std::string_view, 9> other_angles = {
    "mono", "monochromator", "thmono", "dcm", "bragg", "energy", "offset", "offsets", "step"};
/// Of columns that are never the angles, whatever else their names say.
constexpr std::array<std::string_view, 13> spreads = {
    "error", "err",   "std",  "stddev",   "sigma",    "deviation", "uncertainty",
    "speed", "noise", "rate", "velocity", "residual", "fehler"};
constexpr std::array<std::string_view, 22> others = {
    "time",     "times",  "timestamp",   "zeit", "second",    "seconds", "sec",  "secs",
    "ms",       "date",   "current",     "ma",   "exposure",  "dose",    "temp", "temperature",
    "pressure", "energy", "intensities", "kv",   "intensity", "voltage"};
/// Units that are such in brackets, or alone.
constexpr std::array<std::string_view, 20> other_units = {
    "s",  "ms", "us", "min", "h", "sec",    "seconds", "a",     "ma",  "ua",
    "kv", "v",  "mm", "um",  "m", "pixels", "px",      "pixel", "mgy", "counts"};
constexpr std::array<std::string_view, 9> unlike_angles = {
    "step", "steps", "tick", "ticks", "pulse", "pulses", "count", "counts", "percent"};
constexpr std::array<std::string_view, 8> counts = {"index", "idx", "nr",     "no",
                                                    "num",   "id",  "number", "nummer"};

/// Returns what stands in brackets in a name; nothing without them.
std::string in_brackets(const std::string& name) {
  const std::size_t begin = name.find_first_of("[("),
                    end = begin == std::string::npos ? begin : name.find_first_of("])", begin);
  return end == std::string::npos ? std::string()
                                  : std::string(trimmed_blanks(
                                        std::string_view(name).substr(begin + 1, end - begin - 1)));
}

/// Whether a text says plainly that a word is a unit: in brackets, behind a low line or after "in".
bool is_plain_unit(const std::string& text, const std::string& word) {
  return std::ranges::any_of(std::array{"[", "(", "_", "in "}, [&](const char* before) {
    const bool is_phrase = std::string_view(before) == "in " && word == "turn";
    return !is_phrase && text.find(before + word) != std::string::npos;
  });
}

/// Whether a word goes on with the name of a column before it.
bool goes_on(std::string_view word, std::string_view before) {
  const std::string lower = lower_case(std::string(word));
  constexpr std::array<std::string_view, 6> frames = {"image", "frame", "file",
                                                      "view",  "proj",  "projection"};
  return word.front() == '[' || word.front() == '(' || angle_unit(word) ||
         (is_any(lower_case(std::string(before)), frames) && have_any(letter_words(lower), counts));
}

}  // namespace

bool names_angles(const std::string& path) {
  const std::string name = lower_case(std::filesystem::path(path).filename().string());
  return std::ranges::any_of(letter_words(name), [](const std::string& word) {
    constexpr std::array<std::string_view, 2> shapes = {"rectangle", "triangle"};
    const bool is_shape = std::ranges::any_of(
        shapes, [&](std::string_view shape) { return word.find(shape) != std::string::npos; });
    return !is_shape &&
           (word.find("angle") != std::string::npos || word.find("theta") != std::string::npos);
  });
}

bool says_other_angles(const std::string& word) { return is_any(word, other_angles); }

std::vector<std::string> letter_words(const std::string& text) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  std::vector<std::string> words;
  bool goes_on = false;
  for (const char c : text) {
    if (is_letter(c) && !goes_on) words.emplace_back();
    if (is_letter(c)) words.back() += c;
    goes_on = is_letter(c);
  }
  return words;
}

std::optional<AngleUnit> angle_unit(std::string_view word) {
  if (word.size() > 1 && (word.front() == '[' || word.front() == '('))
    word = word.substr(1, word.size() - 2);
  const auto found = std::ranges::find(units, lower_case(std::string(word)), &NamedUnit::word);
  if (found == units.end()) return std::nullopt;
  return AngleUnit{std::string(found->name), found->degrees};
}

AngleUnit unit_of_grads(std::span<const double> values) {
  constexpr double tolerance = 0.02;  // of a step
  AngleUnit unit{"degrees", 1};
  if (values.size() < 3) return unit;
  const auto [low, high] = std::ranges::minmax(values);
  const double span = high - low, step = span / static_cast<double>(values.size() - 1);
  const auto goes_over = [=](double turn) {
    return std::min(std::abs(span - turn), std::abs(span + step - turn)) <= tolerance * step;
  };
  const bool are_gon = (goes_over(400) || goes_over(200)) && !goes_over(360) && !goes_over(180);
  return are_gon ? AngleUnit{"gon", 0.9} : unit;
}

std::string reason_of_grads(const AngleUnit& unit, const std::string& where) {
  return "the \"grad\" of " + where + " may mean degrees or gon, 400 to a turn, and its numbers " +
         (unit.degrees == 1 ? "do not go over 200 or 400" : "go over 200 or 400") +
         "; call them \"deg\" or \"gon\" to tell";
}

std::optional<AngleUnit> angle_unit_in(const std::string& whole) {
  std::optional<AngleUnit> unit;
  // Both signs of micro, which would leave "rad" as a word.
  std::string text = whole;
  for (const std::string micro : {"\u00b5rad", "\u03bcrad"})
    for (std::size_t at = text.find(micro); at != std::string::npos; at = text.find(micro))
      text.replace(at, micro.size(), "urad");
  std::vector<std::string> words = letter_words(text);
  if (text.find("\u00b0") != std::string::npos) words.emplace_back("\u00b0");
  for (const std::string& word : words)
    if (const auto found = angle_unit(word);
        found && (found->name != turns || is_plain_unit(text, word))) {
      const bool is_other = unit && unit != found;
      if (is_other && (unit->degrees != 1 || found->degrees != 1)) return std::nullopt;
      if (!is_other || unit->name == unclear_grads) unit = found;
    }
  return unit;
}

std::optional<AngleUnit> angle_unit_stated(const std::string& text) {
  const std::string lower = lower_case(text);
  if (const auto unit = angle_unit(trimmed_blanks(lower))) return unit;
  const std::vector<std::string> words = letter_words(lower);
  const bool is_plain =  // not "\u00b5rad", whose word is "rad"
      std::ranges::all_of(lower, [](char c) { return static_cast<unsigned char>(c) < 128; });
  std::string whole;  // of "arc_minute"
  for (const std::string& word : words) whole += word;
  if (const auto unit = angle_unit(whole); unit && is_plain) return unit;
  const bool has_others = std::ranges::any_of(
      words, [](const std::string& word) { return !angle_unit(word) && !is_any(word, angles); });
  return has_others ? std::nullopt : angle_unit_in(lower);
}

bool is_unit_of_others(const std::string& text) {
  const std::string lower = lower_case(text);
  const std::vector<std::string> words = letter_words(lower);
  const auto is_angle = [](const std::string& word) { return angle_unit(word).has_value(); };
  const bool is_rate =
      (lower.find('/') != std::string::npos || std::ranges::find(words, "per") != words.end()) &&
      std::ranges::any_of(words, is_angle);
  return is_rate ||
         (words.size() == 1 && (is_any(words[0], other_units) || is_any(words[0], unlike_angles)));
}

std::string unknown_unit_in(const std::string& text) {
  constexpr std::array<std::string_view, 9> no_units = {
      "measured", "nominal", "actual", "set", "encoder", "relative", "absolute", "cw", "ccw"};
  if (angle_unit_in(text)) return {};
  const std::string bracketed = in_brackets(text);
  const std::vector<std::string> inner = letter_words(bracketed);
  const bool is_word = inner.size() == 1 && inner.front() == bracketed,
             is_square = text.find('[') < text.find('(');
  if (is_word && (is_any(bracketed, unlike_angles) || (is_square && !is_any(bracketed, no_units))))
    return bracketed;
  const std::vector<std::string> words = letter_words(text);
  for (std::size_t i = 1; i < words.size(); ++i)
    if (is_any(words[i], unlike_angles) &&
        (words[i - 1] == "in" || words[i - 1] == "unit" || words[i - 1] == "units"))
      return words[i];
  return {};
}

AngleName angle_name(const std::string& name) {
  std::vector<std::string> words = letter_words(name);
  const std::optional<AngleUnit> unit = angle_unit_in(name);
  constexpr std::array<std::string_view, 5> alone = {"s", "ms", "ma", "kv", "min"};
  if (have_any(words, spreads) || is_any(in_brackets(name), other_units) || is_any(name, alone))
    return AngleName::never;
  if (std::ranges::any_of(words, says_other_angles) && unknown_unit_in(name).empty())
    return AngleName::never;
  std::erase_if(words, [](const std::string& word) { return angle_unit(word).has_value(); });
  const bool has_angle = have_any(words, angles), has_other = have_any(words, others);
  if (has_other && !has_angle) return AngleName::never;
  if (have_any(words, counts)) return AngleName::unknown;
  if (has_angle &&
      std::ranges::all_of(words, [](const std::string& word) { return is_any(word, angles); }))
    return AngleName::wholly;
  constexpr std::array<std::string_view, 3> of_others = {"tilt", "fan", "cone"};
  if (has_angle && !has_other && !have_any(words, of_others)) return AngleName::partly;
  const bool is_within =
      std::ranges::any_of(std::array{"angle", "theta", "winkel"},
                          [&](const char* word) { return name.find(word) != std::string::npos; });
  if (has_angle || is_within) return AngleName::within;
  return unit ? AngleName::by_unit : AngleName::unknown;
}

std::vector<std::string> names_with_blanks(std::string_view line, std::size_t count) {
  std::vector<std::string> by_gaps, by_words;
  std::string_view before;
  std::size_t end = 0;
  for (std::size_t at = line.find_first_not_of(" \t"); at < line.size();
       at = line.find_first_not_of(" \t", end)) {
    const std::string_view gap = line.substr(end, at - end);
    end = std::min(line.find_first_of(" \t", at), line.size());
    const std::string_view word = line.substr(at, end - at);
    const auto add = [&](std::vector<std::string>& names, bool is_same) {
      if (is_same && !names.empty())
        names.back() += " " + std::string(word);
      else
        names.emplace_back(word);
    };
    add(by_gaps, gap == " ");
    add(by_words, goes_on(word, before));
    before = word;
  }
  if (by_gaps.size() == count) return by_gaps;
  return by_words.size() == count ? by_words : std::vector<std::string>{};
}

}  // namespace gantry
