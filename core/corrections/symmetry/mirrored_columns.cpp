#include "core/corrections/symmetry/mirrored_columns.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double rounding = 1e-3;      // of positions, in columns
constexpr std::ptrdiff_t around = 16;  // columns to each side that are judged together
constexpr double least_common = 0.6;   // part of their sizes
constexpr std::size_t narrow = 2;      // columns of a peak that no object shows
constexpr float open_part = 0.35F;     // of a step that may remain behind a narrow peak

/// The size of a mean that its mirror image shows, too, and the larger of both sizes.
struct Common {
  float part = 0, size = 0;
};

/// How closely a value is compared with its mirror image.
struct Closeness {
  float own_weight;  // of a value in the mean with its two neighbours that is compared
  double beside;     // columns by which the mirror image may be off
  float whole;       // part of a mean from which on the value counts as a whole
};
constexpr Closeness of_columns{1, 1, 1};
// An axis between columns divides a narrow wall among the columns of both sides in different ways,
// which means with the neighbours hardly show.
constexpr Closeness of_means{0.5F, 0.5, 0.8F};

/// Returns the means of values with their neighbours.
std::vector<float> means_of_neighbours(std::span<const float> line, float own_weight) {
  const float weight = 0.5F * (1 - own_weight);
  std::vector<float> means(line.begin(), line.end());
  for (std::size_t c = 1; c + 1 < line.size(); ++c)
    means[c] = own_weight * line[c] + weight * (line[c - 1] + line[c + 1]);
  return means;
}

/// Returns the value between two columns, or 0 beside the line.
float interpolated(std::span<const float> line, double place) {
  const double before = std::floor(place);
  const auto at = static_cast<std::ptrdiff_t>(before);
  const auto value = [&](std::ptrdiff_t column) {
    return column >= 0 && column < std::ssize(line) ? line[static_cast<std::size_t>(column)] : 0.0F;
  };
  return std::lerp(value(at), value(at + 1), static_cast<float>(place - before));
}

/// How values are compared with their mirror images.
struct Comparison {
  double sum;  // of the indices of a value and its image
  float sign;  // of the image of a positive value: that of a step is negative
  Closeness close;

  Common at(std::span<const float> means, std::size_t column) const {
    const double place = static_cast<double>(column), image = sum - place;
    const float mean = means[column], direction = mean < 0 ? -sign : sign;
    float found = 0;
    for (const double off : {-close.beside, 0.0, close.beside})
      // At the axis, a level would be its own image.
      if (sign < 0 || std::abs(image + off - place) > 0.5 + rounding)
        found = std::max(found, direction * interpolated(means, image + off));
    return {std::min(std::abs(mean), found),
            std::max(std::abs(mean), std::abs(interpolated(means, image)))};
  }

  /// Replaces lines by their common part, where this is most of what the columns around show.
  void keep(std::span<float> lines, std::size_t columns) const {
    std::vector<double> parts(columns), sizes(columns);
    for (std::size_t from = 0; from < lines.size(); from += columns) {
      const std::span line = lines.subspan(from, columns);
      const std::vector<float> means = means_of_neighbours(line, close.own_weight);
      for (std::size_t c = 0; c < columns; ++c) {
        const Common common = at(means, c);
        const float whole = close.whole * std::abs(means[c]);
        if (common.part < whole) line[c] *= common.part / whole;
        parts[c] += common.part;
        sizes[c] += common.size;
      }
    }
    for (std::ptrdiff_t c = 0; c < std::ssize(parts); ++c) {
      const auto first = std::max(std::ptrdiff_t{0}, c - around),
                 last = std::min(std::ssize(parts), c + around + 1);
      double part = 0, size = 0;
      for (std::ptrdiff_t near = first; near < last; ++near) {
        part += parts[static_cast<std::size_t>(near)];
        size += sizes[static_cast<std::size_t>(near)];
      }
      if (part > least_common * size) continue;
      for (auto i = static_cast<std::size_t>(c); i < lines.size(); i += columns) lines[i] = 0;
    }
  }
};

/// Whether a peak of `width` columns that begins with a step stands alone.
bool is_peak(std::span<const float> steps, std::size_t begin, std::size_t width) {
  const std::size_t end = begin + width;
  const float high = std::max(std::abs(steps[begin]), std::abs(steps[end])),
              small = open_part * high;
  if (!(high > 0) || std::abs(steps[begin] + steps[end]) > small) return false;
  for (std::size_t at = begin - 1; at <= end + 1; ++at)
    if (at != begin && at != end && std::abs(steps[at]) > small) return false;
  return true;
}

}  // namespace

void MirroredColumns::keep_common(std::span<float> lines, std::size_t columns) const {
  if (!axis_) {
    std::ranges::fill(lines, 0.0F);
    return;
  }
  const double sum = 2 * *axis_;
  const bool mirrors_columns = std::abs(sum - std::round(sum)) < rounding;
  Comparison{sum, 1, mirrors_columns ? of_columns : of_means}.keep(lines, columns);
}

std::vector<float> MirroredColumns::common_steps(std::span<const float> steps) const {
  std::vector<float> common(steps.size());
  if (!axis_) return common;
  std::ranges::copy(steps, common.begin());
  Comparison{2 * *axis_ + 1, -1, of_means}.keep(common, common.size());
  const std::vector<float> all = common;
  for (std::size_t width = 1; width <= narrow; ++width)
    for (std::size_t begin = 1; begin + width + 1 < all.size(); ++begin)
      if (is_peak(all, begin, width) || is_peak(steps, begin, width))
        std::fill_n(common.begin() + static_cast<std::ptrdiff_t>(begin), width + 1, 0.0F);
  return common;
}

}  // namespace gantry
