// For a given position and sigma, the two levels of the edge follow from linear least squares, so
// that the search is over these two numbers only. The search begins on a coarse grid, since there
// may be several minima, and continues with steps from the best position and sigma to their
// neighbours; the steps are halved whenever no neighbour fits better.
#include "core/metrics/edge_response.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double width_per_sigma = 2.5631031310892007;  // 2 sqrt(2) erfinv(0.8)
constexpr double half_band_px = 1.5;
constexpr double smallest_sigma_px = 0.25;  // the box of one pixel alone has 1 / sqrt(12)
constexpr double smallest_share = 0.5;      // part of the variance that the edge must explain
constexpr std::size_t fewest_pixels = 8;

/// The value of a pixel at the distance s, mm, from the start of the segment.
struct Sample {
  double s, value;
};

std::vector<Sample> samples_along(const VolumeGrid& g, std::span<const float> values,
                                  const EdgeSegment& e) {
  const double length = e.length_mm(), du = (e.x1_mm - e.x0_mm) / length,
               dv = (e.y1_mm - e.y0_mm) / length;
  const double half_band = half_band_px * std::max(g.spacing_mm.x, g.spacing_mm.y) * (1 + 1e-9);
  const auto [low_x, high_x] = std::minmax(e.x0_mm, e.x1_mm);
  const auto [low_y, high_y] = std::minmax(e.y0_mm, e.y1_mm);
  const IndexRange xs =
      index_range(low_x - half_band, high_x + half_band, g.origin_mm.x, g.spacing_mm.x, g.nx);
  const IndexRange ys =
      index_range(low_y - half_band, high_y + half_band, g.origin_mm.y, g.spacing_mm.y, g.ny);
  const int iz = edge_slice(g, e);
  std::vector<Sample> samples;
  for (int iy = ys.first; iy <= ys.last; ++iy)
    for (int ix = xs.first; ix <= xs.last; ++ix) {
      const Vec3 p = g.voxel_center_mm(ix, iy, iz);
      const double along = (p.x - e.x0_mm) * du + (p.y - e.y0_mm) * dv,
                   across = (p.y - e.y0_mm) * du - (p.x - e.x0_mm) * dv;
      if (along < 0 || along > length || std::abs(across) > half_band) continue;
      samples.push_back({along, values[g.index(ix, iy, iz)]});
    }
  return samples;
}

/// Mean and variance of the values, computed relative to the first value to keep digits.
struct Spread {
  double mean, variance;
};
Spread spread_of(const std::vector<Sample>& samples) {
  const double shift = samples.front().value, n = static_cast<double>(samples.size());
  double sum = 0, squares = 0;
  for (const Sample& sample : samples) {
    sum += sample.value - shift;
    squares += (sample.value - shift) * (sample.value - shift);
  }
  return {shift + sum / n, std::max(0.0, squares / n - sum * sum / (n * n))};
}

/// Position and width of an error function, and how well a + b erf(...) fits with the best a and b.
struct Trial {
  double position, sigma;
  double share = -1;  ///< explained part of the variance
  double slope = 0, mean_erf = 0;
};

class EdgeSearch {
 public:
  EdgeSearch(const std::vector<Sample>& samples, double length, double smallest_sigma)
      : samples_(samples),
        spread_(spread_of(samples)),
        length_(length),
        smallest_sigma_(smallest_sigma) {}

  const Spread& spread() const { return spread_; }
  double smallest_sigma() const { return smallest_sigma_; }

  Trial best() const {
    constexpr int places = 33;
    constexpr double ratio = 1.6;
    Trial best{0.5 * length_, smallest_sigma_};
    for (int i = 1; i < places; ++i)
      for (double sigma = smallest_sigma_; sigma <= length_; sigma *= ratio)
        keep_better(best, length_ * i / places, sigma);
    double step = length_ / places, factor = ratio;
    while (step > 1e-7 * length_ || factor > 1 + 1e-7) {
      const Trial before = best;
      keep_better(best, before.position - step, before.sigma);
      keep_better(best, before.position + step, before.sigma);
      keep_better(best, before.position, before.sigma * factor);
      keep_better(best, before.position, before.sigma / factor);
      if (best.share > before.share) continue;
      step *= 0.5;
      factor = std::sqrt(factor);
    }
    return best;
  }

 private:
  /// Replaces `best` by the trial at this position and sigma if this trial explains more of the
  /// variance.
  void keep_better(Trial& best, double position, double sigma) const {
    if (sigma < smallest_sigma_ || position < 0 || position > length_) return;
    Trial trial{position, sigma};
    const double scale = 1 / (std::sqrt(2.0) * sigma), n = static_cast<double>(samples_.size());
    double sum = 0, squares = 0, products = 0;
    for (const Sample& sample : samples_) {
      const double f = std::erf((sample.s - position) * scale);
      sum += f;
      squares += f * f;
      products += f * (sample.value - spread_.mean);
    }
    const double variance = squares / n - sum * sum / (n * n);
    if (!(variance > 1e-12)) return;  // all pixels lie on one side of the edge
    trial.slope = products / n / variance;
    trial.mean_erf = sum / n;
    trial.share = trial.slope * trial.slope * variance / spread_.variance;
    if (trial.share > best.share) best = trial;
  }

  const std::vector<Sample>& samples_;
  Spread spread_;
  double length_, smallest_sigma_;
};

EdgeFit no_edge(const std::string& problem) {
  EdgeFit fit;
  fit.problem = problem;
  return fit;
}

}  // namespace

EdgeFit fit_edge(const VolumeGrid& grid, std::span<const float> values,
                 const EdgeSegment& segment) {
  const double length = segment.length_mm();
  if (!(length > 0) || !std::isfinite(length)) return no_edge("the segment has no length");
  const std::vector<Sample> samples = samples_along(grid, values, segment);
  if (samples.size() < fewest_pixels) return no_edge("the segment meets too few pixels");
  for (const Sample& sample : samples)
    if (!std::isfinite(sample.value))
      return no_edge("a value along the segment is not a finite number");
  const EdgeSearch search(samples, length,
                          smallest_sigma_px * std::min(grid.spacing_mm.x, grid.spacing_mm.y));
  const Spread& spread = search.spread();
  // A variance below the resolution of float means that the values are equal.
  if (spread.variance <= 1e-13 * spread.mean * spread.mean)
    return no_edge("the values along the segment do not change");
  const Trial found = search.best();
  if (found.share < smallest_share)
    return no_edge("no edge stands out along the segment; draw it across one");
  EdgeFit fit;
  fit.position_mm = found.position;
  fit.sigma_mm = found.sigma;
  const double middle = spread.mean - found.slope * found.mean_erf;
  fit.from = middle - found.slope;
  fit.to = middle + found.slope;
  const double half = 0.5 * width_per_sigma * found.sigma;
  if (found.position - half < 0 || found.position + half > length) {
    fit.problem = "the edge is not inside the segment from 10 to 90 %; draw a longer one";
    return fit;
  }
  fit.width_mm = 2 * half;
  if (found.sigma <= search.smallest_sigma() * (1 + 1e-3))
    fit.problem = "the edge is sharper than pixels can show; the width is a limit";
  return fit;
}

MetricValue edge_width(const ImagePair& pair) {
  require_image(pair);
  if (pair.regions == nullptr || !pair.regions->edge)
    return {nan_value, "needs a segment across an edge"};
  const EdgeFit fit = fit_edge(pair.grid, pair.x, *pair.regions->edge);
  return {fit.width_mm, fit.problem};
}

std::unique_ptr<Metric> make_edge_width(const Params&) {
  return std::make_unique<Metric>("Edge width 10-90 %", "mm", true, edge_width, MetricNeeds::edge);
}

}  // namespace gantry
