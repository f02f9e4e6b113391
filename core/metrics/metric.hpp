#pragma once

#include "core/base/params.hpp"
#include "core/data/volume.hpp"
#include "core/metrics/error_sums.hpp"
#include "core/metrics/region.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The reason of a NaN for which a metric gives none.
constexpr const char* not_defined = "not defined for these images";

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// An image and what it is measured against, [iz][iy][ix], both in the same unit. Metrics of places
/// need no reference, metrics of a reference no regions.
struct ImagePair {
  const VolumeGrid& grid;
  std::span<const float> x, reference;      ///< reference: empty where there is none
  std::span<const std::uint8_t> mask = {};  ///< not 0: counted; empty: all voxels count
  double range = 0;  ///< dynamic range L of PSNR and SSIM, unit of the images
  const MeasurementRegions* regions = nullptr;
  /// What the error metrics share, summed by the first of them. Not for several threads.
  mutable std::optional<ErrorSums> sums = {};
};

/// What a metric looks at besides the image.
enum class MetricNeeds { reference, regions, edge };

/// A metric's number; NaN with the reason where it has none, or a limit with what it is one of.
struct MetricValue {
  double value = nan_value;
  std::string problem = {};

  MetricValue(double number, std::string why_not = {})  // NOLINT: a number is a value
      : value(number), problem(std::move(why_not)) {}
};

/// One number that says how alike two images are, or how good one is at a place.
class Metric {
 public:
  using Function = std::function<MetricValue(const ImagePair&)>;

  Metric(std::string label, std::string unit, bool smaller_is_better, Function function,
         MetricNeeds needs = MetricNeeds::reference)
      : label_(std::move(label)),
        unit_(std::move(unit)),
        smaller_is_better_(smaller_is_better),
        function_(std::move(function)),
        needs_(needs) {}

  /// Whether the pair holds what the metric looks at.
  bool applies_to(const ImagePair& pair) const;
  /// NaN, with a reason, where the metric has no meaning (see each function). Throws ShapeError
  /// when x, reference or mask do not have the grid's size.
  MetricValue measure(const ImagePair& pair) const;
  double evaluate(const ImagePair& pair) const { return measure(pair).value; }

  const std::string& label() const { return label_; }
  const std::string& unit() const { return unit_; }  ///< "1/mm" stands for the unit of the images
  bool smaller_is_better() const { return smaller_is_better_; }
  MetricNeeds needs() const { return needs_; }

 private:
  std::string label_, unit_;
  bool smaller_is_better_;
  Function function_;
  MetricNeeds needs_;
};

/// Throws ShapeError when x or mask do not have the grid's size.
void require_image(const ImagePair& pair);
/// The same, and the reference.
void require_shapes(const ImagePair& pair);

/// 1 where the voxel's centre lies within radius_mm of the z axis, else 0: the reconstruction
/// circle.
std::vector<std::uint8_t> circle_mask(const VolumeGrid& grid, double radius_mm);

/// Largest minus smallest value, where the mask is not 0 (empty: everywhere); 0 for no voxels, NaN
/// when there is a NaN among them.
double range_of(std::span<const float> reference, std::span<const std::uint8_t> mask = {});

}  // namespace gantry
