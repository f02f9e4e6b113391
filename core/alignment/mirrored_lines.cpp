#include "core/alignment/mirrored_lines.hpp"

#include "core/base/binomial_filter.hpp"
#include "core/base/parabola.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

constexpr int smoothing = 4;  // passes of a binomial filter
constexpr int most_columns = 512;
constexpr std::size_t most_lines = 512;
constexpr std::size_t groups = 8;  // of lines, for the standard error
constexpr int reach = 3;           // of the axes of groups, in half columns

/// Sums over lines for one axis. Deviations are those from the mean, so that the mismatch is large
/// where only air, and hence noise, overlaps.
struct Overlap {
  double difference = 0, square = 0;
  std::size_t cells = 0;

  double mismatch() const { return square > 0 ? difference / square : 1; }
  /// Returns the mean squared difference of both lines.
  double of_cell() const { return cells > 0 ? difference / static_cast<double>(cells) : 0; }
  void add(const Overlap& more, double sign = 1) {
    difference += sign * more.difference;
    square += sign * more.square;
    cells = sign > 0 ? cells + more.cells : cells - more.cells;
  }
};

/// Lines and their mirror images, [line][column].
struct Lines {
  int columns = 0;
  std::span<const float> one, other;

  std::size_t count() const { return one.size() / static_cast<std::size_t>(columns); }
  /// Compares column c of some lines with column `sum` - c of their mirror images.
  Overlap compare(int sum, std::size_t begin, std::size_t end) const {
    const int first = std::max(0, sum - (columns - 1)), last = std::min(columns - 1, sum);
    Overlap all;
    for (std::size_t line = begin; line < end; ++line) {
      const float *p = one.data() + line * static_cast<std::size_t>(columns),
                  *q = other.data() + line * static_cast<std::size_t>(columns);
      double difference = 0, total = 0, square = 0;
      for (int c = first; c <= last; ++c) {
        const double a = p[c], b = q[sum - c];
        difference += (a - b) * (a - b);
        total += a + b;
        square += a * a + b * b;
      }
      const auto cells = static_cast<std::size_t>(last - first + 1);
      const double mean_square = total * total / (2 * static_cast<double>(cells));
      all.add({difference, std::max(0.0, square - mean_square), cells});
    }
    return all;
  }
};

/// Some of the lines, with neighbouring columns joined.
class CoarseLines {
 public:
  explicit CoarseLines(const Lines& lines)
      : bin_((lines.columns + most_columns - 1) / most_columns), columns_(lines.columns / bin_) {
    const std::size_t every = (lines.count() + most_lines - 1) / most_lines;
    for (std::size_t line = 0; line < lines.count(); line += every) {
      const auto from = line * static_cast<std::size_t>(lines.columns);
      append(lines.one.subspan(from), one_);
      append(lines.other.subspan(from), other_);
    }
  }

  int bin() const { return bin_; }
  Lines lines() const { return {columns_, one_, other_}; }

 private:
  void append(std::span<const float> line, std::vector<float>& to) const {
    for (int c = 0; c < columns_; ++c) {
      float sum = 0;
      for (int part = 0; part < bin_; ++part)
        sum += line[static_cast<std::size_t>(c * bin_ + part)];
      to.push_back(sum / static_cast<float>(bin_));
    }
  }

  int bin_, columns_;
  std::vector<float> one_, other_;
};

/// The two lowest local minima. The ends do not count, because the mismatch of air falls towards
/// the ends, where less and less of it overlaps.
struct Hollows {
  std::optional<std::size_t> lowest, second;

  explicit Hollows(const std::vector<double>& values) {
    const auto is_lower = [&](std::size_t i, const std::optional<std::size_t>& than) {
      return !than || values[i] < values[*than];
    };
    for (std::size_t i = 1; i + 1 < values.size(); ++i) {
      if (!(values[i] < values[i - 1] && values[i] <= values[i + 1])) continue;
      if (is_lower(i, lowest))
        second = std::exchange(lowest, i);
      else if (is_lower(i, second))
        second = i;
    }
  }
};

/// Overlaps for axes at steps of half a column.
using Overlaps = std::array<Overlap, 2 * reach + 1>;

/// Returns the index of the least mean squared difference that is not at an end.
std::size_t least_of(const Overlaps& overlaps) {
  std::size_t least = 1;
  for (std::size_t i = 1; i + 1 < overlaps.size(); ++i)
    if (overlaps[i].of_cell() < overlaps[least].of_cell()) least = i;
  return least;
}

/// Returns the index of the minimum, refined.
double minimum_of(const Overlaps& overlaps) {
  const std::size_t i = least_of(overlaps);
  const ParabolaMinimum minimum = minimum_of_parabola(
      overlaps[i - 1].of_cell(), overlaps[i].of_cell(), overlaps[i + 1].of_cell());
  return static_cast<double>(i) + std::clamp(minimum.offset, -1.0, 1.0);
}

/// Returns the least value of a parabola through such a value of the three overlaps.
double least_by(const Overlaps& overlaps, double (Overlap::*value)() const) {
  const std::size_t i = least_of(overlaps);
  const double here = (overlaps[i].*value)();
  const ParabolaMinimum minimum =
      minimum_of_parabola((overlaps[i - 1].*value)(), here, (overlaps[i + 1].*value)());
  return std::max(0.0, here - (std::abs(minimum.offset) <= 1 ? minimum.below : 0));
}

/// Returns the axis near 0.5 * `sum`, and its error by leaving out a group of lines at a time
/// (jackknife).
MirrorAxis refined(const Lines& lines, int sum) {
  const std::size_t parts = std::min(groups, lines.count());
  std::array<Overlaps, groups> of_group{};
  Overlaps all{};
  const int first = std::clamp(sum - reach, 0, 2 * (lines.columns - 1) - 2 * reach);
  for (std::size_t g = 0; g < parts; ++g)
    for (std::size_t i = 0; i < all.size(); ++i) {
      of_group[g][i] = lines.compare(first + static_cast<int>(i), g * lines.count() / parts,
                                     (g + 1) * lines.count() / parts);
      all[i].add(of_group[g][i]);
    }
  const double minimum = minimum_of(all);
  double square = 0;
  for (std::size_t g = 0; parts > 1 && g < parts; ++g) {
    Overlaps rest = all;
    for (std::size_t i = 0; i < all.size(); ++i) rest[i].add(of_group[g][i], -1);
    square += std::pow(0.5 * (minimum_of(rest) - minimum), 2);
  }
  const auto count = static_cast<double>(parts);
  return {.column = 0.5 * (first + minimum),
          .error = std::sqrt(square * (count - 1) / count),
          .difference = least_by(all, &Overlap::of_cell),
          .mismatch = least_by(all, &Overlap::mismatch)};
}

/// Returns the sum of least mismatch within two coarse columns.
int nearest_sum(const Lines& lines, double column, int bin) {
  const int middle = static_cast<int>(std::lround(2 * column)), low = std::max(0, middle - 2 * bin),
            high = std::min(2 * (lines.columns - 1), middle + 2 * bin);
  std::vector<double> of_sum;
  for (int sum = low; sum <= high; ++sum)
    of_sum.push_back(lines.compare(sum, 0, lines.count()).mismatch());
  return low + static_cast<int>(std::ranges::min_element(of_sum) - of_sum.begin());
}

}  // namespace

void MirroredLines::add(std::span<const double> one, std::span<const double> other) {
  const auto width = static_cast<std::size_t>(columns_);
  for (const auto& [from, to] : {std::pair(one, &one_), {other, &other_}}) {
    to->insert(to->end(), from.begin(), from.end());
    for (std::size_t line = to->size() - from.size(); line < to->size(); line += width)
      binomial_filter_with_slopes(std::span(*to).subspan(line, width), smoothing);
  }
}

std::optional<MirrorAxis> MirroredLines::axis(double least_overlap) const {
  if (count() == 0) return std::nullopt;
  const Lines lines{columns_, one_, other_};
  const CoarseLines coarse(lines);
  const Lines few = coarse.lines();
  const int overlap = std::max(1, static_cast<int>(std::ceil(least_overlap * few.columns))),
            first = overlap - 1, last = 2 * few.columns - 1 - overlap;
  std::vector<double> of_sum(static_cast<std::size_t>(std::max(0, last - first + 1)));
#pragma omp parallel for schedule(dynamic, 16)
  for (int sum = first; sum <= last; ++sum)
    of_sum[static_cast<std::size_t>(sum - first)] = few.compare(sum, 0, few.count()).mismatch();
  const Hollows hollows(of_sum);
  if (!hollows.lowest) return std::nullopt;
  const double column = 0.5 * (first + static_cast<double>(*hollows.lowest));
  MirrorAxis axis = refined(
      lines, nearest_sum(lines, coarse.bin() * column + 0.5 * (coarse.bin() - 1), coarse.bin()));
  if (hollows.second) axis.other_mismatch = std::min(1.0, of_sum[*hollows.second]);
  return axis;
}

double MirroredLines::difference_about_middle() const {
  return Lines{columns_, one_, other_}.compare(columns_ - 1, 0, count()).of_cell();
}

}  // namespace gantry
