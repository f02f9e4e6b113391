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

/// The reason for a NaN for which the metric states none.
constexpr const char* not_defined = "not defined for these images";

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// An image and its reference or regions; arrays are [iz][iy][ix], and x and reference have the
/// same unit. Metrics of regions need no reference, metrics against a reference need no regions.
struct ImagePair {
  const VolumeGrid& grid;
  std::span<const float> x, reference;      ///< reference: empty if there is none
  std::span<const std::uint8_t> mask = {};  ///< voxels with a nonzero value count; empty: all count
  double range = 0;  ///< dynamic range L of PSNR and SSIM, in the unit of the images
  const MeasurementRegions* regions = nullptr;
  /// The sums that all error metrics use, computed by the first of them. Not safe for use by
  /// several threads.
  mutable std::optional<ErrorSums> sums = {};
};

/// The data that a metric needs besides the image.
enum class MetricNeeds { reference, regions, edge };

/// The value of a metric. `problem` is the reason if the value is NaN, or says why the value is
/// only a limit; else empty.
struct MetricValue {
  double value = nan_value;
  std::string problem = {};

  MetricValue(double number, std::string why_not = {})  // NOLINT: a number is a value
      : value(number), problem(std::move(why_not)) {}
};

/// A number that states how similar an image is to a reference, or the quality of an image within a
/// region.
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

  /// Returns whether `pair` holds the data that the metric needs.
  bool applies_to(const ImagePair& pair) const;
  /// Returns the value, or NaN with a reason where the metric is not defined (see each function).
  /// Throws ShapeError if x, reference or mask do not have the grid's size.
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

/// Throws ShapeError if x or mask do not have the grid's size.
void require_image(const ImagePair& pair);
/// Throws ShapeError if x, mask or reference do not have the grid's size.
void require_shapes(const ImagePair& pair);

/// Returns the mask [iz][iy][ix] of the reconstruction circle: 1 where the voxel's centre lies
/// within radius_mm of the z axis, else 0.
std::vector<std::uint8_t> circle_mask(const VolumeGrid& grid, double radius_mm);

/// Returns the largest minus the smallest value where the mask is not 0 (an empty mask selects
/// everything); 0 for no voxels, NaN if a selected value is NaN. Throws ShapeError for a mask of
/// another size.
double range_of(std::span<const float> reference, std::span<const std::uint8_t> mask = {});

}  // namespace gantry
