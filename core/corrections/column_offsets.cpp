#include "core/corrections/column_offsets.hpp"

#include "core/corrections/robust.hpp"
#include "core/corrections/rows/portions.hpp"
#include "core/corrections/sliding_median.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr float least_deviation = 1e-7F;  // of a step: data without noise have none
constexpr float open_part = 0.35F;        // of an offset that may remain behind its other edge

/// Returns the median steps of a sinogram from each column to the next.
std::vector<float> median_steps(std::span<const float> sinogram, int views, int columns) {
  const auto width = static_cast<std::size_t>(columns);
  std::vector<float> steps(width);
  in_portions(width, [&](std::size_t first, std::size_t last) {
    std::vector<float> differences(static_cast<std::size_t>(views));
    for (std::size_t c = std::max<std::size_t>(first, 1); c < last; ++c) {
      for (std::size_t v = 0; v < differences.size(); ++v)
        differences[v] = sinogram[v * width + c] - sinogram[v * width + c - 1];
      steps[c] = upper_median(differences);
    }
  });
  steps[0] = steps[1];
  return steps;
}

/// The steps of a sinogram from each column to the next, without the slope of the object.
class Steps {
 public:
  Steps(std::vector<float> steps, double snr, int window, const MirroredColumns& mirrored)
      : steps_(std::move(steps)), slack_(static_cast<float>(2 * snr)) {
    const std::size_t width = steps_.size();
    take_off(steps_, window);
    const std::vector<float> of_object = mirrored.common_steps(steps_);
    for (std::size_t c = 0; c < width; ++c) steps_[c] -= of_object[c];
    measure(window);
    // Beside edges, a narrower window follows the slope more closely.
    std::vector<float> sound = steps_;
    for (std::size_t c = 0; c < width; ++c)
      if (is_edge(c)) sound[c] = 0;
    take_off(std::move(sound), window / 3);
    measure(window);
  }

  float operator[](std::size_t column) const { return steps_[column]; }
  bool is_edge(std::size_t column) const { return std::abs(steps_[column]) > limits_[column]; }

  /// Takes the stripe that begins with an edge and ends before another one as levelled: from now on
  /// its steps are those of a straight line.
  void level(std::size_t begin, std::size_t end, float step) {
    for (std::size_t c = begin; c <= end; ++c) steps_[c] = step;
  }

  /// Returns the first column behind the stripe that begins with an edge; nothing where the other
  /// edge of the stripe is not among the next `widest` columns.
  std::optional<std::size_t> end_of(std::size_t edge, std::size_t widest) const {
    // Both sums are tried: the one of all steps collects what a curved slope leaves in steps that
    // are no edges, the one of edges misses the small steps of an uneven stripe.
    float of_edges = steps_[edge], of_all = of_edges, highest = std::abs(of_edges);
    for (std::size_t c = edge + 1; c < std::min(steps_.size(), edge + widest + 1); ++c) {
      of_all += steps_[c];
      if (!is_edge(c)) continue;
      of_edges += steps_[c];
      highest = std::max(highest, std::abs(of_edges));
      if (std::min(std::abs(of_edges), std::abs(of_all)) <=
          std::max(open_part * highest, 0.5F * limits_[edge]))
        return c;
    }
    return std::nullopt;
  }

 private:
  /// Subtracts from each step the median of the steps around, which are given by `slope`.
  void take_off(std::vector<float> slope, int window) {
    SlidingMedian(window | 1).apply(slope);
    for (std::size_t c = 0; c < steps_.size(); ++c) steps_[c] -= slope[c];
    steps_[0] = 0;
  }
  /// Computes, for each column, the size from which on a step is an edge.
  void measure(int window) {
    limits_ = steps_;
    for (float& step : limits_) step = std::abs(step);
    std::vector<float> all = limits_;
    const float usual = std::max(least_deviation, upper_median(all));
    SlidingMedian(window).apply(limits_);
    for (float& limit : limits_) limit = slack_ * deviation_per_mad * std::max(usual, limit);
  }

  std::vector<float> steps_, limits_;
  float slack_;  // standard deviations
};

/// Subtracts the offsets of all stripes, or of none where the sinogram is empty, and returns 1 for
/// their columns.
std::vector<char> level_stripes(std::span<float> sinogram, Steps steps, std::size_t width,
                                int window) {
  std::vector<char> is_levelled(width);
  // The narrowest stripes first: an edge of the object beside one must not be taken for its edge.
  for (std::size_t widest = 1; widest <= static_cast<std::size_t>(window / 3); ++widest)
    for (std::size_t begin = 1; begin < width; ++begin) {
      const auto end = steps.is_edge(begin) ? steps.end_of(begin, widest) : std::nullopt;
      if (!end) continue;
      float rest = 0;
      for (std::size_t c = begin; c <= *end; ++c) rest += steps[c];
      const float closing = rest / static_cast<float>(*end - begin + 1);
      float offset = 0;
      for (std::size_t c = begin; c < *end; ++c) {
        offset += steps[c] - closing;
        for (std::size_t at = c; at < sinogram.size(); at += width) sinogram[at] -= offset;
      }
      steps.level(begin, *end, closing);
      std::fill(is_levelled.begin() + static_cast<std::ptrdiff_t>(begin),
                is_levelled.begin() + static_cast<std::ptrdiff_t>(*end), 1);
      begin = *end;
    }
  return is_levelled;
}

}  // namespace

std::size_t take_off_column_offsets(std::span<float> sinogram, int views, int columns, double snr,
                                    int window, const MirroredColumns& mirrored,
                                    std::vector<char>* kept) {
  const auto width = static_cast<std::size_t>(columns);
  const std::vector<float> steps = median_steps(sinogram, views, columns);
  const std::vector<char> levelled =
      level_stripes(sinogram, Steps(steps, snr, window, mirrored), width, window);
  if (kept) {
    *kept = level_stripes({}, Steps(steps, snr, window, MirroredColumns()), width, window);
    for (std::size_t c = 0; c < width; ++c)
      if (levelled[c] != 0) (*kept)[c] = 0;
  }
  return static_cast<std::size_t>(std::ranges::count(levelled, 1));
}

}  // namespace gantry
