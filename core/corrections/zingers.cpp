#include "core/corrections/zingers.hpp"

#include "core/base/for_lines.hpp"
#include "core/corrections/robust.hpp"

#include <array>
#include <numeric>

namespace gantry {

namespace {

constexpr std::size_t most_near = 27;         // 3 x 3 cells in three views
constexpr std::ptrdiff_t sampled_views = 16;  // for the noise of the whole scan
constexpr float least_noise = 1e-3F;          // line integral; the noise of a million photons

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
    // All values are judged before one is replaced, since each is compared with other views.
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

  /// Calls visit(index) for the 3 x 3 cells about one, as far as there are such cells.
  template <class Visit>
  void for_square(int view, int row, int column, const Visit& visit) const {
    for (int r = std::max(0, row - 1); r <= std::min(rows() - 1, row + 1); ++r)
      for (int c = std::max(0, column - 1); c <= std::min(columns() - 1, column + 1); ++c)
        visit(index(view, r, c));
  }
  std::size_t index(int view, int row, int column) const {
    return static_cast<std::size_t>(view) * cells() +
           static_cast<std::size_t>(row) * static_cast<std::size_t>(columns()) +
           static_cast<std::size_t>(column);
  }

  float median_around(std::span<const float> values, int view, int row, int column) const {
    std::array<float, 9> some{};
    std::size_t count = 0;
    for_square(view, row, column, [&](std::size_t at) { some[count++] = values[at]; });
    return upper_median(std::span(some).first(count));
  }

  /// Returns the mean of the values at both sides of a value of a detector of one row; at an end,
  /// the one beside it.
  float mean_beside(std::span<const float> values, int view, int column) const {
    const int left = column > 0 ? column - 1 : std::min(1, columns() - 1),
              right = column + 1 < columns() ? column + 1 : left;
    return 0.5F * (values[index(view, 0, left)] + values[index(view, 0, right)]);
  }

  /// Returns the standard deviation of the differences of values to the median about them, from
  /// some views. In a single row a third of the values are the median of three themselves, which
  /// would halve the deviation: there the noise is told by the mean of the neighbours.
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

  /// Returns how far a value stands out, with its sign.
  float excess(std::span<const float> values, int view, std::size_t at, float median) const {
    float least = values[at] - median;
    const auto limit = [&](std::size_t other) {
      const float difference = values[at] - values[other];
      if ((difference > 0) != (least > 0))
        least = 0;
      else if (std::abs(difference) < std::abs(least))
        least = difference;
    };
    if (view > 0) limit(at - cells());
    if (view < views() - 1) limit(at + cells());
    return least;
  }

  float noise_around(std::span<const float> values, int view, int row, int column) const {
    std::array<float, most_near> some{};
    std::size_t count = 0;
    for (int v = std::max(0, view - 1); v <= std::min(views() - 1, view + 1); ++v)
      for_square(v, row, column, [&](std::size_t at) { some[count++] = values[at]; });
    return robust_of(std::span(some).first(count)).deviation;
  }

  std::vector<Replacement> zingers_of(std::span<const float> values, int view, float noise) const {
    std::vector<Replacement> found;
    for (int row = 0; row < rows(); ++row)
      for (int column = 0; column < columns(); ++column) {
        const std::size_t at = index(view, row, column);
        const float median = median_around(values, view, row, column),
                    off = std::abs(excess(values, view, at, median));
        if (off > threshold_ * noise && off > threshold_ * noise_around(values, view, row, column))
          found.push_back({at, median});
      }
    return found;
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
