#include "core/corrections/stripes.hpp"

#include "core/corrections/column_offsets.hpp"
#include "core/corrections/robust.hpp"
#include "core/corrections/rows/portions.hpp"
#include "core/corrections/sliding_median.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr float least_factor = 2;  // by which a column fluctuates more or less than others
// Part of the ranks in which a large or a small stripe has one sign and a part of its mean height.
constexpr double least_alike = 0.9, least_alike_if_small = 0.75;
constexpr float least_of_mean = 0.3F;
constexpr float least_edge = 0.3F;   // step at the edge of a large stripe, of its height
constexpr double least_rise = 1e-6;  // of the fitted line: data without noise have none
constexpr int least_columns = 8, least_views = 3;
constexpr int least_window = 3;
// Windows side by side on the detector. Wider large windows would flatten the shape of the object,
// wider small windows also its edges.
constexpr int least_large_windows = 12, least_small_windows = 32;

using Mask = std::vector<char>;

/// Algorithm 4: returns 1 for the columns whose numbers stand out.
Mask outstanding(const std::vector<float>& numbers, double snr) {
  std::vector<float> sorted = numbers;
  std::ranges::sort(sorted);
  const std::size_t count = sorted.size(), dropped = count / 4;
  // Least squares over the middle half, x from its centre.
  const double first = static_cast<double>(dropped),
               last = static_cast<double>(count - dropped - 1), centre = 0.5 * (first + last);
  double sum = 0, moment = 0, square = 0;
  for (std::size_t i = dropped; i < count - dropped; ++i) {
    const double x = static_cast<double>(i) - centre;
    sum += sorted[i];
    moment += x * sorted[i];
    square += x * x;
  }
  const double mean = sum / (last - first + 1), slope = moment / square,
               low = mean - slope * centre,
               high = mean + slope * (static_cast<double>(count - 1) - centre),
               rise = std::max(std::abs(high - low), least_rise);
  const bool any_above = sorted.back() - high >= snr * rise,
             any_below = low - sorted.front() >= snr * rise;
  Mask mask(count);
  for (std::size_t c = 0; c < count; ++c)
    mask[c] = (any_above && numbers[c] > high + 0.5 * snr * rise) ||
                      (any_below && numbers[c] < low - 0.5 * snr * rise)
                  ? 1
                  : 0;
  return mask;
}

/// Adds the neighbours of the marked columns.
Mask widened(const Mask& mask) {
  Mask wide = mask;
  for (std::size_t c = 0; c < mask.size(); ++c) {
    if (mask[c] == 0) continue;
    if (c > 0) wide[c - 1] = 1;
    if (c + 1 < mask.size()) wide[c + 1] = 1;
  }
  return wide;
}

class Sinogram {
 public:
  Sinogram(std::span<float> values, int views, int columns)
      : values_(values),
        views_(static_cast<std::size_t>(views)),
        columns_(static_cast<std::size_t>(columns)) {}

  /// Algorithm 6. Returns the number of columns.
  std::size_t interpolate_odd(double snr, int window) {
    std::vector<float> fluctuation = fluctuations(), usual = fluctuation;
    SlidingMedian(window).apply(usual);
    for (std::size_t c = 0; c < columns_; ++c)
      fluctuation[c] = usual[c] > 0 ? fluctuation[c] / usual[c] : 1.0F;
    Mask odd = outstanding(fluctuation, snr);
    for (std::size_t c = 0; c < columns_; ++c)
      if (fluctuation[c] > 1 / least_factor && fluctuation[c] < least_factor) odd[c] = 0;
    // Marked columns are interpolated with their neighbours, and need sound columns on both sides.
    const auto spare_ends = [&] {
      for (const std::size_t end : {std::size_t{0}, std::size_t{1}, columns_ - 2, columns_ - 1})
        odd[end] = 0;
    };
    spare_ends();
    keep_between_steps(odd, fluctuation);
    odd = widened(odd);
    spare_ends();
    for (std::size_t c = 1; c < columns_; ++c) {
      if (odd[c] == 0) continue;
      std::size_t right = c;
      while (odd[right] != 0) ++right;
      interpolate(c - 1, right);
      c = right;
    }
    return static_cast<std::size_t>(std::ranges::count(odd, 1));
  }

  /// Sorts the values of each column, and remembers from which views they came.
  void sort() {
    sorted_.resize(values_.size());
    view_of_.resize(values_.size());
    in_portions(columns_, [&](std::size_t first, std::size_t last) {
      std::vector<std::pair<float, unsigned>> line(views_);
      for (std::size_t c = first; c < last; ++c) {
        for (std::size_t v = 0; v < views_; ++v)
          line[v] = {values_[v * columns_ + c], static_cast<unsigned>(v)};
        std::ranges::sort(line);
        for (std::size_t rank = 0; rank < views_; ++rank)
          std::tie(sorted_[rank * columns_ + c], view_of_[rank * columns_ + c]) = line[rank];
      }
    });
  }

  /// Algorithm 5, on sorted values, which remain sorted: medians of sorted columns are sorted.
  std::size_t smooth_large(const StripeSettings& settings, int window,
                           const MirroredColumns& mirrored) {
    std::vector<float> smooth = sorted_;
    smooth_ranks(smooth, window);
    std::vector<float>& differences = smooth;
    each([&](std::size_t i, std::size_t) { differences[i] = sorted_[i] - smooth[i]; });
    std::vector<float> off = means(differences, settings.dropped);
    Mask found = constant_ones(outstanding(off, settings.snr), off, differences, settings.dropped,
                               least_alike);
    take_off_common(off, found, mirrored);
    const Mask large = widened(between_edges(std::move(found), off, window));
    each([&](std::size_t i, std::size_t column) {
      if (large[column] != 0) sorted_[i] -= differences[i];
    });
    return static_cast<std::size_t>(std::ranges::count(large, 1));
  }

  /// Algorithm 3, on sorted values, which are then put back into their views. Returns the number of
  /// columns with a small stripe; the others stay as they are. Adds to a mask the columns in which
  /// something that stands out by `snr` standard deviations stayed as the object.
  std::size_t smooth_small(const StripeSettings& settings, int window,
                           const MirroredColumns& mirrored, Mask& kept) {
    std::vector<float> differences = sorted_;
    smooth_ranks(sorted_, window);
    each([&](std::size_t i, std::size_t) { differences[i] -= sorted_[i]; });
    std::vector<float> off = means(differences, settings.dropped);
    const Mask small = constant_ones(beyond_noise(off, settings.snr), off, differences,
                                     settings.dropped, least_alike_if_small);
    const auto put_back = [&](char where) {
      each([&](std::size_t i, std::size_t column) {
        if (small[column] == where) sorted_[i] += differences[i];
      });
    };
    put_back(0);
    if (mirrored.are_known()) {
      mirrored.keep_common(differences, columns_);
      put_back(1);
      const std::vector<float> stayed = means(differences, settings.dropped);
      const float least = std::max(static_cast<float>(least_rise),
                                   static_cast<float>(settings.snr) * robust_of(off).deviation);
      for (std::size_t c = 0; c < columns_; ++c)
        if (small[c] != 0 && std::abs(stayed[c]) > least) kept[c] = 1;
    }
    each([&](std::size_t i, std::size_t column) {
      values_[view_of_[i] * columns_ + column] = sorted_[i];
    });
    return static_cast<std::size_t>(std::ranges::count(small, 1));
  }

 private:
  /// Calls work(index, column) for each sorted value, in parallel as in_portions() does.
  template <class Work>
  void each(const Work& work) const {
    in_portions(views_, [&](std::size_t first, std::size_t last) {
      for (std::size_t rank = first; rank < last; ++rank)
        for (std::size_t c = 0; c < columns_; ++c) work(rank * columns_ + c, c);
    });
  }

  /// Keeps those runs of marked columns that begin and end with a step: of two columns at either
  /// end, one has a number least_factor times less, or more, than the column beside the run. Data
  /// without noise fluctuate as the object does, which rises or falls over several columns.
  static void keep_between_steps(Mask& marked, const std::vector<float>& numbers) {
    for (std::size_t c = 1; c + 1 < marked.size(); ++c) {
      if (marked[c] == 0) continue;
      std::size_t end = c;
      while (marked[end] != 0) ++end;
      const std::size_t second = std::min(c + 1, end - 1), before_last = std::max(end - 2, c);
      const auto [first_low, first_high] = std::minmax(numbers[c], numbers[second]);
      const auto [last_low, last_high] = std::minmax(numbers[before_last], numbers[end - 1]);
      const float before = numbers[c - 1], behind = numbers[end];
      const bool is_low =
          least_factor * first_low < before &&
          least_factor * last_low<behind, is_high = first_high> least_factor * before &&
          last_high > least_factor * behind;
      if (!is_low && !is_high)
        std::fill(marked.begin() + static_cast<std::ptrdiff_t>(c),
                  marked.begin() + static_cast<std::ptrdiff_t>(end), char{0});
      c = end;
    }
  }
  /// Returns for each column the sum of the distances of its values from the mean of the views
  /// before and after.
  std::vector<float> fluctuations() const {
    std::vector<double> sums(columns_);
    for (std::size_t v = 1; v + 1 < views_; ++v) {
      const float *now = values_.data() + v * columns_, *before = now - columns_,
                  *after = now + columns_;
      for (std::size_t c = 0; c < columns_; ++c)
        sums[c] += std::abs(now[c] - 0.5F * (before[c] + after[c]));
    }
    return {sums.begin(), sums.end()};
  }

  /// Interpolates the columns between `left` and `right`.
  void interpolate(std::size_t left, std::size_t right) {
    for (std::size_t v = 0; v < views_; ++v) {
      float* line = values_.data() + v * columns_;
      for (std::size_t c = left + 1; c < right; ++c) {
        const float part = static_cast<float>(c - left) / static_cast<float>(right - left);
        line[c] = (1 - part) * line[left] + part * line[right];
      }
    }
  }

  /// Returns 1 for the columns whose mean differences `off` are more than `snr` times what the
  /// noise of their views explains.
  Mask beyond_noise(const std::vector<float>& off, double snr) const {
    // The mean distance of normal noise from the mean of two neighbours, of its standard deviation.
    constexpr double distance = 0.977;  // sqrt(3 / pi)
    const auto views = static_cast<double>(views_);
    const double errors_per_sum = snr / (distance * (views - 2) * std::sqrt(views));
    const std::vector<float> sums = fluctuations();
    Mask found(columns_);
    for (std::size_t c = 0; c < columns_; ++c)
      found[c] = std::abs(off[c]) > errors_per_sum * sums[c] ? 1 : 0;
    return found;
  }

  /// Keeps those columns of a mask whose differences from the smooth values have, in nearly all
  /// ranks, the sign of their mean `off` and a good part of its height, as in a stripe. Where an
  /// edge of the object passes, the large values lie above the smooth ones and the small values
  /// below; where a small feature passes, few values differ much.
  Mask constant_ones(Mask found, const std::vector<float>& off,
                     const std::vector<float>& differences, double dropped, double least) const {
    const auto [first, last] = counted_ranks(dropped);
    for (std::size_t c = 0; c < columns_; ++c) {
      if (found[c] == 0) continue;
      std::size_t alike = 0;
      for (std::size_t rank = first; rank < last; ++rank)
        alike +=
            differences[rank * columns_ + c] * off[c] > least_of_mean * off[c] * off[c] ? 1 : 0;
      if (static_cast<double>(alike) < least * static_cast<double>(last - first)) found[c] = 0;
    }
    return found;
  }

  /// Subtracts from mean differences what they have in common with their mirror images, and leaves
  /// out of a mask the columns in which this is most of them.
  static void take_off_common(std::vector<float>& off, Mask& found,
                              const MirroredColumns& mirrored) {
    std::vector<float> common = off;
    mirrored.keep_common(common, common.size());
    for (std::size_t c = 0; c < off.size(); ++c) {
      if (std::abs(common[c]) > 0.5F * std::abs(off[c])) found[c] = 0;
      off[c] -= common[c];
    }
  }

  /// Keeps those columns of a mask that lie between both edges of a stripe: there, at most half the
  /// window apart, their mean differences `off` rise and fall from one column to the next by a good
  /// part of what they reach in between. An object that is symmetric about the axis has edges in
  /// the mean of all views, too, but on one side of these the mean rises or falls slowly.
  static Mask between_edges(Mask found, const std::vector<float>& off, int window) {
    const std::size_t reach = static_cast<std::size_t>(window / 2), count = off.size();
    for (std::size_t c = 0; c < count; ++c) {
      if (found[c] == 0) continue;
      const float sign = off[c] > 0 ? 1.0F : -1.0F;
      const auto rise = [&](std::size_t at) {
        return at > 0 && at < count ? sign * (off[at] - off[at - 1]) : 0.0F;
      };
      std::size_t begin = c, end = c + 1;
      for (std::size_t at = c - std::min(c, reach); at <= c; ++at)
        if (rise(at) > rise(begin)) begin = at;
      for (std::size_t at = c + 1; at <= std::min(c + reach, count - 1); ++at)
        if (rise(at) < rise(end)) end = at;
      float peak = 0;
      for (std::size_t at = begin; at < std::min(end, count); ++at)
        peak = std::max(peak, sign * off[at]);
      const float least = least_edge * peak;
      if (end - begin > reach || rise(begin) < least || -rise(end) < least) found[c] = 0;
    }
    return found;
  }

  /// Returns the first rank that means include, and the first one behind these ranks.
  std::pair<std::size_t, std::size_t> counted_ranks(double dropped) const {
    const auto end = static_cast<std::size_t>(0.5 * dropped * static_cast<double>(views_));
    return {end, views_ - end};
  }

  void smooth_ranks(std::vector<float>& ranked, int window) const {
    in_portions(views_, [&](std::size_t first, std::size_t last) {
      SlidingMedian median(window);
      for (std::size_t rank = first; rank < last; ++rank)
        median.apply(std::span(ranked).subspan(rank * columns_, columns_));
    });
  }

  /// Returns the mean of each sorted column without its ends.
  std::vector<float> means(const std::vector<float>& ranked, double dropped) const {
    const auto [first, last] = counted_ranks(dropped);
    std::vector<double> sums(columns_);
    for (std::size_t rank = first; rank < last; ++rank)
      for (std::size_t c = 0; c < columns_; ++c) sums[c] += ranked[rank * columns_ + c];
    std::vector<float> result;
    for (const double sum : sums)
      result.push_back(static_cast<float>(sum / static_cast<double>(last - first)));
    return result;
  }

  std::span<float> values_;
  std::size_t views_, columns_;
  std::vector<float> sorted_;      // [rank][column]
  std::vector<unsigned> view_of_;  // likewise: the view of each sorted value
};

}  // namespace

StripeCounts remove_stripes(std::span<float> sinogram, int views, int columns,
                            const StripeSettings& settings, std::optional<double> axis) {
  StripeCounts counts;
  if (views < least_views || columns < least_columns) return counts;
  Sinogram all(sinogram, views, columns);
  const auto window = [&](int wanted, int least) {  // odd, since an even one has no middle
    return std::min(wanted, std::max(least_window, columns / least)) | 1;
  };
  const int large = window(settings.large_window, least_large_windows),
            small = window(settings.small_window, least_small_windows);
  const MirroredColumns mirrored(axis);
  counts.interpolated = all.interpolate_odd(settings.snr, large);
  std::vector<float> removed(sinogram.begin(), sinogram.end());
  Mask kept(static_cast<std::size_t>(columns));
  counts.levelled = take_off_column_offsets(sinogram, views, columns, settings.snr, large, mirrored,
                                            mirrored.are_known() ? &kept : nullptr);
  all.sort();
  counts.smoothed = all.smooth_large(settings, large, mirrored);
  counts.small = all.smooth_small(settings, small, mirrored, kept);
  counts.kept = static_cast<std::size_t>(std::ranges::count(kept, 1));
  for (std::size_t i = 0; i < removed.size(); ++i) removed[i] -= sinogram[i];
  counts.change = StripeChange(removed, sinogram, columns);
  return counts;
}

std::size_t stripe_workspace_bytes(int views, int columns) {
  return static_cast<std::size_t>(views) * static_cast<std::size_t>(columns) *
         (3 * sizeof(float) +
          sizeof(unsigned));  // sorted, smoothed or of the object, removed, views
}

}  // namespace gantry
