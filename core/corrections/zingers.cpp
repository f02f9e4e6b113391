#include "core/corrections/zingers.hpp"

#include "core/base/for_lines.hpp"
#include "core/corrections/robust.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace gantry {

namespace {

constexpr int window = 5;                     // rows and columns of the cells of a median
constexpr std::size_t most_in_window = 25;    // or 2 x 7
constexpr std::size_t most_near = 27;         // 3 x 3 cells in three views
constexpr std::ptrdiff_t sampled_views = 16;  // for the noise of the whole scan
constexpr float least_noise = 1e-3F;          // line integral; the noise of a million photons

/// Returns of two differences the smaller one, 0 where their signs differ.
float nearer_zero(float a, float b) {
  if ((a > 0) != (b > 0)) return 0;
  return std::abs(a) < std::abs(b) ? a : b;
}

struct Replacement {
  std::size_t index;
  float value;
};

class Zingers : public Correction {
 public:
  Zingers(const ScanGeometry& scan, double threshold)
      : Correction(scan), threshold_(static_cast<float>(threshold)) {}
  std::size_t workspace_bytes() const override { return sampled_views * cells() * sizeof(float); }

 private:
  std::vector<std::string> correct(std::span<float> values,
                                   const Interrupt* interrupt) const override {
    const float noise = noise_of(values, interrupt);
    // All values are judged before any is replaced, since each is compared with other views.
    std::vector<std::vector<Replacement>> found(static_cast<std::size_t>(views()));
    for_lines(views(), interrupt, [&](std::ptrdiff_t view) {
      found[static_cast<std::size_t>(view)] = zingers_of(values, static_cast<int>(view), noise);
    });
    std::size_t count = 0, views_with_any = 0;
    for (const auto& of_view : found) {
      for (const Replacement& one : of_view) values[one.index] = one.value;
      count += of_view.size();
      views_with_any += of_view.empty() ? 0 : 1;
    }
    if (count == 0) return {"no value stands out of a single view"};
    return {counted(count, "value") + " in " + counted(views_with_any, "view") +
            (count == 1 ? " was" : " were") + " replaced by the median of the cells around"};
  }

  /// Calls visit(index) for the cells of a view from `first_row` and `first_column` on, so many
  /// rows and columns.
  template <class Visit>
  void for_cells(int view, int first_row, int some_rows, int first_column, int some_columns,
                 const Visit& visit) const {
    for (int r = first_row; r < first_row + some_rows; ++r)
      for (int c = first_column; c < first_column + some_columns; ++c) visit(index(view, r, c));
  }
  /// Calls visit(index) for the 3 x 3 cells about one, as far as there are such cells.
  template <class Visit>
  void for_square(int view, int row, int column, const Visit& visit) const {
    const int top = std::max(0, row - 1), left = std::max(0, column - 1);
    for_cells(view, top, std::min(rows() - 1, row + 1) - top + 1, left,
              std::min(columns() - 1, column + 1) - left + 1, visit);
  }
  /// Calls visit(index) for so many cells about one that a spot of 2 x 2 is less than half of them:
  /// 5 x 5 cells, on detectors of few rows more columns instead. At the edges of the detector the
  /// window extends farther inwards.
  template <class Visit>
  void for_window(int view, int row, int column, const Visit& visit) const {
    const int high = std::min(rows(), window), wide = std::min(columns(), rows() < 3 ? 7 : window);
    for_cells(view, std::clamp(row - high / 2, 0, rows() - high), high,
              std::clamp(column - wide / 2, 0, columns() - wide), wide, visit);
  }
  std::size_t index(int view, int row, int column) const {
    return static_cast<std::size_t>(view) * cells() +
           static_cast<std::size_t>(row) * static_cast<std::size_t>(columns()) +
           static_cast<std::size_t>(column);
  }

  float median_around(std::span<const float> values, int view, int row, int column) const {
    std::array<float, most_in_window> some{};
    std::size_t count = 0;
    for_window(view, row, column, [&](std::size_t at) { some[count++] = values[at]; });
    return upper_median(std::span(some).first(count));
  }

  /// For a detector of one row: returns the mean of the values on both sides of a value; at an end,
  /// the only value beside it.
  float mean_beside(std::span<const float> values, int view, int column) const {
    const int left = column > 0 ? column - 1 : std::min(1, columns() - 1),
              right = column + 1 < columns() ? column + 1 : left;
    return 0.5F * (values[index(view, 0, left)] + values[index(view, 0, right)]);
  }

  /// Returns the standard deviation of the differences of values from the median about them, from
  /// some views. In a single row, a third of the values would themselves be the median of three,
  /// which would halve the deviation; there the differences from the mean of the neighbours are
  /// used.
  float noise_of(std::span<const float> values, const Interrupt* interrupt) const {
    const std::ptrdiff_t some = std::min<std::ptrdiff_t>(sampled_views, views());
    const bool has_one_row = rows() == 1;
    std::vector<float> differences(static_cast<std::size_t>(some) * cells());
    for_lines(some * rows(), interrupt, [&](std::ptrdiff_t line) {
      const int view = static_cast<int>(line / rows() * views() / some),
                row = static_cast<int>(line % rows());
      for (int c = 0; c < columns(); ++c) {
        const float about =
            has_one_row ? mean_beside(values, view, c) : median_around(values, view, row, c);
        differences[static_cast<std::size_t>(line * columns() + c)] =
            std::abs(values[index(view, row, c)] - about);
      }
    });
    return std::max(least_noise, deviation_per_mad * upper_median(differences));
  }

  /// Returns the smaller of the differences, with sign, from the views before and after; 0 where
  /// the value lies between them. Infinite in a scan of one view, which has nothing to compare.
  float excess_of_views(std::span<const float> values, int view, std::size_t at) const {
    const auto off = [&](int other, std::size_t there) {
      return other < 0 || other >= views() ? std::optional<float>() : values[at] - values[there];
    };
    const auto before = off(view - 1, at - cells()), after = off(view + 1, at + cells());
    if (!before && !after) return std::numeric_limits<float>::infinity();
    return !before ? *after : !after ? *before : nearer_zero(*before, *after);
  }

  float noise_around(std::span<const float> values, int view, int row, int column) const {
    std::array<float, most_near> some{};
    std::size_t count = 0;
    for (int v = std::max(0, view - 1); v <= std::min(views() - 1, view + 1); ++v)
      for_square(v, row, column, [&](std::size_t at) { some[count++] = values[at]; });
    return robust_of(std::span(some).first(count)).deviation;
  }

  std::vector<Replacement> zingers_of(std::span<const float> values, int view, float noise) const {
    const float least = threshold_ * noise;
    std::vector<Replacement> found;
    std::vector<char> is_off(cells());
    for (int row = 0; row < rows(); ++row)
      for (int column = 0; column < columns(); ++column) {
        const std::size_t at = index(view, row, column);
        const float of_views = excess_of_views(values, view, at);
        if (std::abs(of_views) <= least) continue;  // nearly all values, without computing a median
        const float off = values[at] - median_around(values, view, row, column),
                    excess = std::isinf(of_views) ? off : nearer_zero(off, of_views);
        if (std::abs(excess) <= least ||
            std::abs(excess) <= threshold_ * noise_around(values, view, row, column))
          continue;
        is_off[at - index(view, 0, 0)] = 1;
        found.push_back({at, 0});
      }
    for (Replacement& one : found) one.value = sound_median(values, view, one.index, is_off);
    return found;
  }

  /// Returns the median of those cells about one that are not to be replaced themselves.
  float sound_median(std::span<const float> values, int view, std::size_t at,
                     const std::vector<char>& is_off) const {
    const std::size_t first = index(view, 0, 0), cell = at - first;
    const int row = static_cast<int>(cell) / columns(), column = static_cast<int>(cell) % columns();
    std::array<float, most_in_window> some{};
    std::size_t count = 0;
    const auto take = [&](std::size_t other) {
      if (is_off[other - first] == 0) some[count++] = values[other];
    };
    for_square(view, row, column, take);
    if (count < 2) {
      count = 0;
      for_window(view, row, column, take);
    }
    if (count == 0) return values[at];
    const auto middle = some.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(some.begin(), middle, some.begin() + static_cast<std::ptrdiff_t>(count));
    return count % 2 == 1 ? *middle : 0.5F * (*middle + *std::max_element(some.begin(), middle));
  }

  float threshold_;
};

}  // namespace

std::vector<ParamSpec> zingers_params() {
  return {{.key = "threshold",
           .label = "Threshold",
           .unit = "σ",
           .fallback = 6.0,
           .min = 2,
           .max = 1000,
           .step = 0.5,
           .help =
               "A value is replaced if it stands out of its neighbours, and of the views before "
               "and after, by more than this many standard deviations of the noise."}};
}

std::unique_ptr<Correction> make_zingers(const ScanGeometry& scan, const Params& params) {
  return std::make_unique<Zingers>(scan, params.real("threshold"));
}

}  // namespace gantry
