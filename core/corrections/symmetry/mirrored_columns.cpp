#include "core/corrections/symmetry/mirrored_columns.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double beside = 1;           // columns by which a mirror image may be off
constexpr double rounding = 1e-3;      // of positions, in columns
constexpr std::ptrdiff_t around = 16;  // columns to each side that are judged together
constexpr double least_common = 0.6;   // part of their sizes
constexpr std::size_t narrow = 2;      // columns of a peak that no object shows
constexpr float open_part = 0.35F;     // of a step that may remain behind a narrow peak

/// The part of a value that its mirror image shows, too, and the larger of both sizes.
struct Common {
  float part = 0, size = 0;
};

/// How values are compared with those about the mirror image: levels with the largest of them, but
/// of neighbouring steps the sum, because an edge between two columns is a step in both.
struct Comparison {
  double sum;  // of the indices of a value and its image
  float sign;  // of the image of a positive value
  bool are_steps;

  Common at(std::span<const float> line, std::ptrdiff_t column) const {
    const double image = sum - static_cast<double>(column);
    const float value = line[static_cast<std::size_t>(column)],
                direction = value < 0 ? -sign : sign;
    const auto end = std::ssize(line);
    const auto first = std::max(std::ptrdiff_t{0},
                                static_cast<std::ptrdiff_t>(std::ceil(image - beside - rounding))),
               last = std::min(end - 1,
                               static_cast<std::ptrdiff_t>(std::floor(image + beside + rounding)));
    float found = 0;
    for (std::ptrdiff_t at = first; at <= last; ++at) {
      const float one = direction * line[static_cast<std::size_t>(at)];
      // At the axis, a level would be its own image.
      if (are_steps)
        found += std::max(one, 0.0F);
      else if (at != column)
        found = std::max(found, one);
    }
    const auto nearest = static_cast<std::ptrdiff_t>(std::lround(image));
    const float opposite =
        nearest >= 0 && nearest < end ? std::abs(line[static_cast<std::size_t>(nearest)]) : 0.0F;
    return {std::copysign(std::min(std::abs(value), found), value),
            std::max(std::abs(value), opposite)};
  }

  /// Replaces lines by their common part, where this is most of what the columns around show.
  void keep(std::span<float> lines, std::size_t columns) const {
    std::vector<double> parts(columns), sizes(columns);
    std::vector<float> kept(columns);
    for (std::size_t from = 0; from < lines.size(); from += columns) {
      const std::span line = lines.subspan(from, columns);
      for (std::size_t c = 0; c < columns; ++c) {
        const Common common = at(line, static_cast<std::ptrdiff_t>(c));
        kept[c] = common.part;
        parts[c] += std::abs(common.part);
        sizes[c] += common.size;
      }
      std::ranges::copy(kept, line.begin());
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
  if (axis_)
    Comparison{2 * *axis_, 1, false}.keep(lines, columns);
  else
    std::ranges::fill(lines, 0.0F);
}

std::vector<float> MirroredColumns::common_steps(std::span<const float> steps) const {
  std::vector<float> common(steps.size());
  if (!axis_) return common;
  std::ranges::copy(steps, common.begin());
  Comparison{2 * *axis_ + 1, -1, true}.keep(common, common.size());
  const std::vector<float> all = common;
  for (std::size_t width = 1; width <= narrow; ++width)
    for (std::size_t begin = 1; begin + width + 1 < all.size(); ++begin)
      if (is_peak(all, begin, width))
        std::fill_n(common.begin() + static_cast<std::ptrdiff_t>(begin), width + 1, 0.0F);
  return common;
}

}  // namespace gantry
