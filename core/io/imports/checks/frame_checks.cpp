#include "core/io/imports/checks/frame_checks.hpp"

#include "core/base/even_samples.hpp"
#include "core/base/median.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace gantry {

namespace {

constexpr double most_of_air = 0.02;  // values not above 0 that counts may have

std::string percent_text(double part) { return format_param(to_digits(100 * part, 2)) + " %"; }

/// Returns the mean of the columns from `first` to before `last`, and as many from the other end.
double mean_of_both_ends(std::span<const double> means, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t i = first; i < last; ++i) sum += means[i] + means[means.size() - 1 - i];
  return sum / static_cast<double>(2 * (last - first));
}

/// Takes `low` and `high` of a frame from some thousand of its finite values.
void take_quantiles(std::span<const float> values, FrameSummary& summary) {
  constexpr std::size_t most = 4096;
  const std::size_t step = std::max<std::size_t>(1, values.size() / most);
  std::vector<float> some;
  for (std::size_t i = 0; i < values.size(); i += step)
    if (std::isfinite(values[i])) some.push_back(values[i]);
  if (some.empty()) return;
  const auto at = [&](std::size_t index) {
    const auto place = some.begin() + static_cast<std::ptrdiff_t>(index);
    std::ranges::nth_element(some, place);
    return *place;
  };
  summary.low = at(some.size() / 100);
  summary.high = at(some.size() - 1 - some.size() / 100);
}

constexpr double most_apart_of_flats = 0.01;

/// Returns how many frames from the first on are as bright as that.
std::size_t alike_at_begin(std::span<const double> means) {
  std::size_t count = 1;
  while (count < means.size() &&
         std::abs(means[count] - means[0]) < most_apart_of_flats * std::abs(means[0]))
    ++count;
  return count;
}

/// Returns the frames that look like flats from an end of the frames on, as indices of `means`,
/// which are in the order from this end; 0: none. There may be others at the other end.
std::size_t flats_at_begin(std::span<const double> means) {
  constexpr double least_above = 0.05;
  constexpr std::size_t least_others = 3;
  const std::size_t count = alike_at_begin(means);
  if (count < 2 || means.size() < count + least_others) return 0;
  std::span<const double> others = means.subspan(count);
  const std::vector<double> reversed(others.rbegin(), others.rend());
  // The beam may have changed meanwhile: those at the other end are compared by their own.
  if (const std::size_t last = alike_at_begin(reversed);
      last > 1 && last + least_others <= others.size() &&
      reversed[0] > (1 - 2 * least_above) * means[0])
    others = others.first(others.size() - last);
  const double brightest = std::ranges::max(others), dimmest = std::ranges::min(means.first(count));
  return dimmest > (1 + least_above) * brightest ? count : 0;
}

}  // namespace

FrameSummary summary_of(std::span<const float> values) {
  // Every fourth value has a sum in common: an addition does not wait for the one before.
  constexpr std::size_t lanes = 4;
  struct Lane {
    double sum = 0;
    std::size_t count = 0;
    float largest = std::numeric_limits<float>::lowest();
    void add(float value) {
      const bool is_finite = std::abs(value) <= std::numeric_limits<float>::max();
      sum += is_finite ? value : 0;
      count += is_finite ? 1 : 0;
      largest = is_finite && value > largest ? value : largest;
    }
  };
  std::array<Lane, lanes> parts;
  const std::size_t fours = values.size() / lanes * lanes;
  for (std::size_t i = 0; i < fours; i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) parts[k].add(values[i + k]);
  for (const float value : values.subspan(fours)) parts[0].add(value);
  Lane all;
  for (const Lane& part : parts) {
    all.sum += part.sum;
    all.count += part.count;
    all.largest = std::max(all.largest, part.largest);
  }
  if (all.count == 0) return {};
  FrameSummary summary;
  summary.mean = all.sum / static_cast<double>(all.count);
  summary.largest = all.largest;
  summary.at_largest = static_cast<std::size_t>(std::ranges::count(values, all.largest));
  take_quantiles(values, summary);
  return summary;
}

std::optional<std::string> saturation_note(std::span<const FrameSummary> frames, std::size_t cells,
                                           const std::string& kind) {
  constexpr std::array<float, 6> limits = {255, 1023, 4095, 16383, 32767, 65535};
  constexpr double least = 0.005;
  float largest = std::numeric_limits<float>::lowest();
  for (const FrameSummary& frame : frames) largest = std::max(largest, frame.largest);
  if (std::ranges::find(limits, largest) == limits.end()) return std::nullopt;
  std::size_t count = 0;
  for (const FrameSummary& frame : frames)
    if (frame.largest == largest) count += frame.at_largest;
  const double all = static_cast<double>(cells) * static_cast<double>(frames.size()),
               part = static_cast<double>(count) / all;
  if (part < least) return std::nullopt;
  return std::to_string(count) + " cells of the " + kind + ", " + percent_text(part) + ", hold " +
         format_param(largest) +
         ", the largest number that they can: the detector was saturated, and line integrals there "
         "are wrong";
}

std::vector<int> unlit_frames(std::span<const FrameSummary> frames, double dark) {
  constexpr double least = 0.005;
  double largest = 0;
  for (const FrameSummary& frame : frames) largest = std::max(largest, frame.mean - dark);
  if (largest <= 0) return {};
  std::vector<int> unlit;
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (frames[i].mean - dark < least * largest) unlit.push_back(static_cast<int>(i));
  return unlit;
}

namespace {

/// Keeps, of rising indices below `count`, those of a run at the beginning and of one at the end;
/// returns the others.
std::vector<int> split_ends(std::vector<int>& indices, int count) {
  std::vector<int> kept, others;
  const auto is_at_begin = [&](std::size_t k) { return indices[k] == static_cast<int>(k); };
  const auto is_at_end = [&](std::size_t k) {
    return count - indices[k] == static_cast<int>(indices.size() - k);
  };
  for (std::size_t k = 0; k < indices.size(); ++k)
    (is_at_begin(k) || is_at_end(k) ? kept : others).push_back(indices[k]);
  indices = std::move(kept);
  return others;
}

/// Moves indices to others if they are more than a quarter of `count`.
void keep_few(std::vector<int>& indices, std::vector<int>& others, int count) {
  if (4 * indices.size() <= static_cast<std::size_t>(count)) return;
  others.insert(others.end(), indices.begin(), indices.end());
  std::ranges::sort(others);
  indices.clear();
}

}  // namespace

ClosedFrames closed_frames(std::span<const FrameSummary> frames) {
  constexpr float most_of_beam = 0.1F, most_of_others = 1.0F / 3, most_apart = 0.02F,
                  most_means_apart = 0.002F;
  ClosedFrames closed;
  closed.indices = unlit_frames(frames, 0);
  std::vector<float> highs;
  for (const FrameSummary& frame : frames) highs.push_back(frame.high);
  if (highs.empty()) return closed;
  const auto middle = highs.begin() + std::ssize(highs) / 2;
  std::ranges::nth_element(highs, middle);
  const float beam = *middle;
  float brightest = 0, least_other = std::numeric_limits<float>::max();
  std::vector<int> found;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (!(frames[i].high < most_of_beam * beam)) {
      least_other = std::min(least_other, frames[i].high);
      continue;
    }
    found.push_back(static_cast<int>(i));
    brightest = std::max(brightest, frames[i].high);
  }
  if (found.empty() || !(brightest < most_of_others * least_other)) return closed;
  // An object may absorb nearly all in some views, as a plate does along its plane: only frames
  // before or after all others, and few, are surely without beam.
  const int count = static_cast<int>(frames.size());
  closed.doubtful = split_ends(found, count);
  keep_few(found, closed.doubtful, count);
  if (found.empty()) return closed;
  const auto of = [&](auto member) {
    std::vector<double> values;
    for (const int i : found) values.push_back(frames[static_cast<std::size_t>(i)].*member);
    return std::ranges::minmax(values);
  };
  const auto means = of(&FrameSummary::mean);
  closed.may_be_darks =
      found.size() > 1 &&
      of(&FrameSummary::high).max - of(&FrameSummary::low).min < most_apart * beam &&
      means.max - means.min < most_means_apart * beam && means.min > 0;
  found.insert(found.end(), closed.indices.begin(), closed.indices.end());
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  closed.indices = std::move(found);
  return closed;
}

ClosedFrames closed_frames(std::span<const FrameSummary> frames, double dark) {
  constexpr std::size_t one_of = 50;
  const int count = static_cast<int>(frames.size());
  ClosedFrames closed;
  std::vector<int> dim = unlit_frames(frames, dark), among = split_ends(dim, count);
  // What was measured has noise, unlike a frame that was only allocated.
  const auto take_empty = [&](std::vector<int>& indices) {
    std::erase_if(indices, [&](int i) {
      const FrameSummary& frame = frames[static_cast<std::size_t>(i)];
      const bool is_empty = frame.low == frame.largest;
      if (is_empty) closed.indices.push_back(i);
      return is_empty;
    });
  };
  take_empty(dim);
  take_empty(among);
  keep_few(dim, closed.doubtful, count);
  auto& rest =
      among.size() <= std::max<std::size_t>(1, frames.size() / one_of) ? dim : closed.doubtful;
  rest.insert(rest.end(), among.begin(), among.end());
  closed.indices.insert(closed.indices.end(), dim.begin(), dim.end());
  for (auto* indices : {&closed.indices, &closed.doubtful}) std::ranges::sort(*indices);
  return closed;
}

std::vector<std::pair<int, int>> flats_among(std::span<const FrameSummary> frames,
                                             std::span<const int> without, double dark) {
  std::vector<double> means;
  std::vector<int> indices;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (std::ranges::binary_search(without, static_cast<int>(i))) continue;
    means.push_back(frames[i].mean - dark);
    indices.push_back(static_cast<int>(i));
  }
  std::vector<std::pair<int, int>> found;
  if (means.empty()) return found;
  if (const std::size_t count = flats_at_begin(means); count > 0)
    found.emplace_back(indices.front(), indices[count - 1]);
  std::ranges::reverse(means);
  if (const std::size_t count = flats_at_begin(means); count > 0)
    found.emplace_back(indices[indices.size() - count], indices.back());
  return found;
}

std::optional<FlatsApart> flats_apart(std::span<const double> beams,
                                      const std::vector<std::vector<int>>& groups) {
  constexpr double most = 0.02;
  std::vector<double> medians;
  for (const std::vector<int>& group : groups) {
    std::vector<double> of_group;
    for (const int flat : group) of_group.push_back(beams[static_cast<std::size_t>(flat)]);
    medians.push_back(median_of(of_group));
  }
  if (medians.size() < 2) return std::nullopt;
  const auto [dimmest, brightest] = std::ranges::minmax_element(medians);
  const double part = 1 - *dimmest / *brightest;
  if (!(*brightest > 0 && part > most)) return std::nullopt;
  const auto group_of = [&](auto median) {
    return groups[static_cast<std::size_t>(median - medians.begin())];
  };
  return FlatsApart{group_of(dimmest), group_of(brightest), part};
}

namespace {

/// The place in some values before and behind which their means differ most.
struct LargestChange {
  std::size_t first_behind = 1;
  double explained = 0, all = 0;  ///< sums of squares, of the change and of all differences
};

LargestChange largest_change(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  LargestChange change;
  double before = 0;  // the sum of the values up to here less their mean
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto place = static_cast<double>(i);
    const double explained = i > 0 ? before * before * count / (place * (count - place)) : 0;
    if (explained > change.explained) {
      change.first_behind = i;
      change.explained = explained;
    }
    before += values[i] - mean;
    change.all += (values[i] - mean) * (values[i] - mean);
  }
  return change;
}

}  // namespace

std::optional<FlatsApart> flats_apart(std::span<const double> beams) {
  constexpr double least_explained = 0.7, standard_errors = 4, most_error = 0.01;
  if (beams.size() < 2) return std::nullopt;
  const LargestChange change = largest_change(beams);
  const auto count = static_cast<double>(beams.size());
  if (change.explained >= least_explained * change.all ||
      change.explained * (count - 2) >=
          standard_errors * standard_errors * (change.all - change.explained)) {
    std::vector<std::vector<int>> sides(2);
    for (std::size_t i = 0; i < beams.size(); ++i)
      sides[i < change.first_behind ? 0 : 1].push_back(static_cast<int>(i));
    if (auto apart = flats_apart(beams, sides)) return apart;
  }
  const double mean = std::accumulate(beams.begin(), beams.end(), 0.0) / count;
  if (!(std::sqrt(change.all / (count - 1) / count) > most_error * mean)) return std::nullopt;
  std::vector<std::vector<int>> single(beams.size());
  for (std::size_t i = 0; i < beams.size(); ++i) single[i] = {static_cast<int>(i)};
  return flats_apart(beams, single);
}

std::vector<double> column_means(std::span<const float> values, const FrameSizes& sizes,
                                 std::span<const int> without) {
  const auto columns = static_cast<std::size_t>(sizes.columns),
             rows = static_cast<std::size_t>(sizes.rows);
  std::vector<double> sums(columns);
  for (int view = 0; view < sizes.views; ++view) {
    if (std::ranges::binary_search(without, view)) continue;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto line = values.subspan((static_cast<std::size_t>(view) * rows + row) * columns);
      for (std::size_t column = 0; column < columns; ++column) sums[column] += line[column];
    }
  }
  const double count = static_cast<double>(rows) * (sizes.views - std::ssize(without));
  for (double& sum : sums) sum /= count;
  return sums;
}

std::optional<std::string> weak_beam_note(std::vector<double> means_of_columns,
                                          const std::string& beam) {
  constexpr double most = -0.05;
  const auto twentieth =
      means_of_columns.begin() + static_cast<std::ptrdiff_t>(means_of_columns.size() / 20);
  std::ranges::nth_element(means_of_columns, twentieth);
  if (!(*twentieth < most)) return std::nullopt;
  return "where the projections show most, they are " + percent_text(std::exp(-*twentieth) - 1) +
         " above " + beam + ", which tell" + (beam.ends_with('s') ? "" : "s") +
         " of a weaker beam; give flats of the same beam (--flat), or columns of air (--air)";
}

std::optional<std::string> unseen_beam_note(std::span<const FrameSummary> projections,
                                            double stated_beam, const std::string& beam) {
  constexpr double least_part = 0.25;
  float largest = 0;
  for (const FrameSummary& frame : projections) largest = std::max(largest, frame.largest);
  if (!(largest < least_part * stated_beam)) return std::nullopt;
  return "no projection comes near " + beam + ", " + format_param(stated_beam) +
         ": the largest value is " + format_param(largest) +
         "; unless the object fills all views, give flats (--flat)";
}

namespace {

/// Returns the median of some thousand values of the columns from `first` to before `last`, and of
/// as many from the other end.
float median_of_both_ends(std::span<const float> values, const FrameSizes& sizes,
                          std::span<const int> without, int first, int last) {
  constexpr int most_views = 64, most_rows = 32, most_columns = 4;
  std::vector<float> some;
  for (const int view : middle_samples(sizes.views, most_views)) {
    if (std::ranges::binary_search(without, view)) continue;
    for (const int row : middle_samples(sizes.rows, most_rows))
      for (const int step : middle_samples(last - first, most_columns))
        for (const int column : {first + step, sizes.columns - 1 - first - step})
          some.push_back(values[static_cast<std::size_t>(
              (std::ptrdiff_t{view} * sizes.rows + row) * sizes.columns + column)]);
  }
  return some.empty() ? 0 : median_of(some);
}

/// Whether values are transmissions of an object between columns of air: about 1 at the sides, and
/// less in the middle. Some may be below 0 where hardly any beam comes through.
bool are_transmissions(std::span<const float> values, const FrameSizes& sizes,
                       std::span<const int> without) {
  constexpr int fewest = 12;
  constexpr float off_1 = 0.1F, least_contrast = 0.95F;
  if (sizes.columns < fewest) return false;
  const float air = median_of_both_ends(values, sizes, without, 0, std::max(1, sizes.columns / 32)),
              object = median_of_both_ends(values, sizes, without, sizes.columns / 4 + 1,
                                           sizes.columns / 2);
  return std::abs(air - 1) < off_1 && object < least_contrast * air;
}

}  // namespace

bool are_whole(std::span<const float> values) {
  // By portions, because the compiler makes vector instructions of loops that are not left early.
  constexpr std::size_t portion = 1024;
  for (std::size_t first = 0; first < values.size(); first += portion) {
    std::uint32_t others = 0;
    for (const float value : values.subspan(first, std::min(portion, values.size() - first)))
      others |= is_whole(value) ? 0U : 1U;
    if (others != 0) return false;
  }
  return true;
}

std::optional<std::string> why_line_integrals(std::span<const float> values,
                                              const FrameSizes& sizes,
                                              std::span<const int> without) {
  constexpr float largest = 20;
  constexpr double margin = 0.95;
  const auto of_others = std::ssize(without) * sizes.rows * sizes.columns;
  const auto below =
      std::ranges::count_if(values, [](float value) { return !(value > 0); }) - of_others;
  const bool has_air = static_cast<double>(below) >
                           most_of_air * static_cast<double>(std::ssize(values) - of_others) &&
                       !are_transmissions(values, sizes, without);
  if (!has_air && std::ranges::any_of(values, [](float value) { return value >= largest; }))
    return std::nullopt;
  if (are_whole(values)) return std::nullopt;
  if (has_air) return "many of them are not above 0";
  if (sizes.columns < 3) return std::nullopt;
  const std::vector<double> means = column_means(values, sizes, without);
  const std::size_t columns = means.size(), outer = std::max<std::size_t>(1, columns / 8),
                    from = std::min(columns / 4 + 1, (columns - 1) / 2);
  const bool is_thicker = mean_of_both_ends(means, 0, outer) <
                          margin * mean_of_both_ends(means, from, (columns + 1) / 2);
  if (!is_thicker) return std::nullopt;
  return "they are larger in the middle than at the sides";
}

}  // namespace gantry
