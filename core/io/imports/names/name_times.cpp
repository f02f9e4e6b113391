#include "core/io/imports/names/name_times.hpp"

#include "core/base/median.hpp"
#include "core/io/files/text_numbers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>

namespace gantry {

namespace {

namespace fs = std::filesystem;

/// A name as the runs of digits in it.
struct DigitsOfName {
  std::string path;
  std::vector<std::string> digits;
};

/// Files whose names are equal but for the digits, with the text before each run of these.
struct Group {
  std::vector<std::string> separators;
  std::vector<DigitsOfName> names;

  /// Returns how many digits all names have at a place; 0: not the same number.
  std::size_t width(std::size_t at) const {
    const std::size_t width = names.front().digits[at].size();
    const bool is_same = std::ranges::all_of(
        names, [&](const DigitsOfName& name) { return name.digits[at].size() == width; });
    return is_same ? width : 0;
  }
};

Group largest_group(const std::vector<std::string>& paths) {
  std::map<std::vector<std::string>, Group> groups;
  for (const std::string& path : paths) {
    const fs::path file(path);
    DigitsOfName name{path, {}};
    std::vector<std::string> separators(1);
    bool was_digit = false;
    for (const char c : file.stem().string()) {
      if (is_digit(c)) {
        if (!was_digit) name.digits.emplace_back();
        name.digits.back() += c;
      } else {
        if (was_digit) separators.emplace_back();
        separators.back() += c;
      }
      was_digit = is_digit(c);
    }
    separators.resize(name.digits.size() + 1);
    std::vector<std::string> key = separators;
    key.push_back(file.parent_path().string());
    key.push_back(file.extension().string());
    Group& group = groups[key];
    group.separators = std::move(separators);
    group.names.push_back(std::move(name));
  }
  if (groups.empty()) return {};
  return std::ranges::max_element(groups, {},
                                  [](const auto& group) { return group.second.names.size(); })
      ->second;
}

/// Where times are in the names of a group: runs of digits from `begin` to `end`.
struct TimePlace {
  std::size_t begin = 0, end = 0;
  bool has_date = false;
  bool is_compact = false;  ///< hours, minutes and seconds are one run, as a counter may be
  bool has_fraction = false;
};

constexpr double seconds_of_day = 86400;

/// Returns the seconds of hhmmss or YYYYMMDDhhmmss; nothing for digits that are no time.
std::optional<double> seconds_of(const std::string& digits) {
  const auto part = [&](std::size_t from, std::size_t count) {
    return std::stoi(digits.substr(from, count));
  };
  const std::size_t clock = digits.size() - 6;
  const int hours = part(clock, 2), minutes = part(clock + 2, 2), seconds = part(clock + 4, 2);
  if (hours > 23 || minutes > 59 || seconds > 59) return std::nullopt;
  const double of_day = 3600.0 * hours + 60.0 * minutes + seconds;
  if (clock == 0) return of_day;
  using namespace std::chrono;
  const year_month_day date{year(part(0, 4)), month(static_cast<unsigned>(part(4, 2))),
                            day(static_cast<unsigned>(part(6, 2)))};
  if (!date.ok() || part(0, 4) < 1970 || part(0, 4) > 2100) return std::nullopt;
  return of_day + seconds_of_day * sys_days(date).time_since_epoch().count();
}

std::vector<double> seconds_at(const Group& group, const TimePlace& place) {
  std::vector<double> all;
  for (const DigitsOfName& name : group.names) {
    std::string digits;
    for (std::size_t at = place.begin; at < place.end; ++at) digits += name.digits[at];
    const auto seconds = seconds_of(digits);
    if (!seconds) return {};
    all.push_back(*seconds);
  }
  return all;
}

/// Finds the times, and their place in the names; nothing without any that differ.
std::vector<double> find_times(const Group& group, TimePlace& place) {
  // Digits of each run: dates with times, then times alone.
  static const std::array<std::vector<std::size_t>, 7> layouts = {
      {{14}, {8, 6}, {8, 2, 2, 2}, {4, 2, 2, 6}, {4, 2, 2, 2, 2, 2}, {6}, {2, 2, 2}}};
  const std::size_t runs = group.names.front().digits.size();
  for (const auto& layout : layouts)
    for (std::size_t begin = 0; begin + layout.size() <= runs; ++begin) {
      bool fits = true;
      for (std::size_t k = 0; k < layout.size(); ++k)
        fits = fits && group.width(begin + k) == layout[k];
      if (!fits) continue;
      place = {.begin = begin,
               .end = begin + layout.size(),
               .has_date = std::reduce(layout.begin(), layout.end()) == 14,
               .is_compact = layout.back() == 6};
      std::vector<double> seconds = seconds_at(group, place);
      if (std::set<double>(seconds.begin(), seconds.end()).size() > 1) return seconds;
    }
  return {};
}

/// Adds thousandths or millionths of seconds, the run of digits behind the times.
void add_fractions(const Group& group, TimePlace& place, std::vector<double>& seconds) {
  if (place.end == group.names.front().digits.size()) return;
  const std::size_t width = group.width(place.end);
  const std::string& first = group.names.front().digits[place.end];
  if ((width != 3 && width != 6) || std::ranges::all_of(group.names, [&](const DigitsOfName& name) {
        return name.digits[place.end] == first;
      }))
    return;
  for (std::size_t i = 0; i < seconds.size(); ++i)
    seconds[i] += std::stod("0." + group.names[i].digits[place.end]);
  ++place.end;
  place.has_fraction = true;
}

/// Whether a number apart from the time counts the files, nearly without gaps or in the order
/// `by_time`, or may be an angle, as decimal ones are.
bool has_other_number(const Group& group, const TimePlace& place,
                      std::span<const std::size_t> by_time) {
  constexpr std::size_t most_digits = 15;  // which a double holds
  const std::size_t count = group.names.size();
  for (std::size_t at = 0; at < group.names.front().digits.size(); ++at) {
    // Those of a second may be a counter behind the time.
    const bool is_fraction = place.has_fraction && at + 1 == place.end;
    if (at >= place.begin && at < place.end && !is_fraction) continue;
    std::vector<double> values;
    for (const std::size_t i : by_time)
      if (group.names[i].digits[at].size() <= most_digits)
        values.push_back(std::stod(group.names[i].digits[at]));
    const std::set<double> different(values.begin(), values.end());
    if (different.size() > 1 && !is_fraction && at > 0 && group.separators[at] == ".") return true;
    if (values.size() < count || different.size() < count) continue;
    if (*different.rbegin() - *different.begin() < 2 * static_cast<double>(count) ||
        std::ranges::is_sorted(values) || std::ranges::is_sorted(values, std::greater<>()))
      return true;
  }
  return false;
}

std::vector<double> steps_of(std::span<const double> values) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(values[i] - values[i - 1]);
  return steps;
}

/// Returns how far steps are from their median, on average and in units of it.
double unevenness(std::span<const double> steps) {
  const double median = upper_median(std::vector<double>(steps.begin(), steps.end()));
  double sum = 0;
  for (const double step : steps) sum += std::abs(step - median);
  return sum / (median * static_cast<double>(steps.size()));
}

/// Whether numbers may count frames, some of which may be missing: the smallest step of a counter
/// divides the others.
bool may_count(std::span<const double> numbers) {
  const std::vector<double> steps = steps_of(numbers);
  const double smallest = std::ranges::min(steps);
  return smallest > 0 &&
         std::ranges::all_of(steps, [&](double step) { return std::fmod(step, smallest) == 0; });
}

/// Moves times without a date that begin again at midnight behind the others.
void go_beyond_midnight(std::vector<double>& seconds) {
  std::vector<double> sorted = seconds;
  std::ranges::sort(sorted);
  const std::vector<double> steps = steps_of(sorted);
  const auto longest = std::ranges::max_element(steps);
  if (*longest < seconds_of_day / 2) return;
  const double last_of_next_day = sorted[static_cast<std::size_t>(longest - steps.begin())];
  for (double& time : seconds)
    if (time <= last_of_next_day) time += seconds_of_day;
}

}  // namespace

bool go_on_evenly(std::span<const double> values, double unit) {
  const std::vector<double> steps = steps_of(values);
  if (steps.empty()) return false;
  const double median = upper_median(std::vector<double>(steps));
  int crossings = 0, even = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (std::floor(values[i] / unit) == std::floor(values[i + 1] / unit)) continue;
    ++crossings;
    if (std::abs(steps[i] - median) <= median / 2) ++even;
  }
  return 2 * even > crossings;
}

TimedNames named_by_time(const std::vector<std::string>& paths) {
  constexpr std::size_t least_files = 4;
  const Group group = largest_group(paths);
  if (group.names.size() < least_files) return {};
  TimePlace place;
  std::vector<double> seconds = find_times(group, place);
  if (seconds.empty()) return {};
  add_fractions(group, place, seconds);
  if (!place.has_date) go_beyond_midnight(seconds);
  std::vector<std::size_t> order(seconds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return seconds[i]; });
  TimedNames names;
  std::vector<double> numbers;  // the same digits as a counter
  for (const std::size_t i : order) {
    names.paths.push_back(group.names[i].path);
    names.seconds.push_back(seconds[i]);
    const std::string& clock = group.names[i].digits[place.end - (place.has_fraction ? 2 : 1)];
    numbers.push_back(std::stod(clock));
  }
  // Numbers of scans with those of their frames have many files for each scan.
  std::set<double> minutes;
  for (const double time : names.seconds) minutes.insert(std::floor(time / 60));
  const bool is_certain =
      !place.is_compact && (place.has_date || 2 * minutes.size() >= names.paths.size());
  if (std::ranges::adjacent_find(names.seconds) != names.seconds.end() ||
      has_other_number(group, place, order) ||
      (!is_certain && !go_on_evenly(names.seconds, place.has_fraction ? 1 : 60)))
    return {};
  const double of_times = unevenness(steps_of(names.seconds));
  if (place.is_compact && may_count(numbers) && !(of_times < unevenness(steps_of(numbers))))
    return {};
  return names;
}

std::vector<std::string> notes_on_times(const TimedNames& names) {
  constexpr double longest = 1.5, least_longer = 1.5;  // in steps, in seconds of rounded times
  const auto name = [&](std::size_t i) { return fs::path(names.paths[i]).filename().string(); };
  std::vector<std::string> notes = {
      "the projections are named by time: they were put in the order "
      "of the times, from " +
      name(0) + " to " + name(names.paths.size() - 1) + ", and are not numbered by them"};
  const std::vector<double> steps = steps_of(names.seconds);
  const double median = upper_median(std::vector<double>(steps));
  std::vector<std::size_t> gaps;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i] > longest * median && steps[i] - median > std::min(least_longer, median))
      gaps.push_back(i);
  if (!gaps.empty())
    notes.push_back("the time between " + name(gaps[0]) + " and " + name(gaps[0] + 1) +
                    (gaps.size() == 1
                         ? " is"
                         : " and at " + std::to_string(gaps.size() - 1) + " more places is") +
                    " longer than between the others: if projections are missing there, angles at "
                    "equal steps are wrong behind it, and --angles gives them");
  return notes;
}

}  // namespace gantry
