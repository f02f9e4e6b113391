#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/view_subset.hpp"

#include <span>
#include <vector>

namespace gantry {

class Interrupt;

namespace branchless_dd {

/// How a sum is read from a summed-area table between its entries: by default exactly, in float64.
struct Reading {
  bool float32_places = false;   ///< positions are rounded to float32
  bool float32_values = false;   ///< entries and values read are rounded to float32
  int fraction_bits = 0;         ///< of a position between two entries; 0: all
  bool rounded_weights = false;  ///< the weights of the four entries have no more bits than these
};

/// GPU-DB: tables in float64, positions in float32.
inline constexpr Reading double_reading{.float32_places = true};
/// GPU-BL: texture units. Fractions have eight bits (Fig. 11), and so have the weights: that of the
/// entry across is the product of the fractions, rounded, and the others complete the fractions and
/// 1. 600000 readings of an H100, from a table of the products of its indices, are these values to
/// the last bit.
inline constexpr Reading texture_reading{true, true, 8, true};

// The published model of Liu et al. 2017 on the CPU in float64, with the corrected misprints. It is
// the reference of the published projectors: print's CPU-32 has the accuracy of GPU-BS, which adds
// the same rectangles up without tables. `views` are views of a scan that turns about the z axis;
// the computation ends with Interrupted when `interrupt` is raised.

/// Returns projections by eqs 14 to 18 as [view][row][column], mm. On a layer, a cell covers the
/// rectangle between the rays to the middles of its left and right side (along the layer) and of
/// its lower and upper side (along z); its value is the sum over the layers of the mean over that
/// rectangle, times the length of its central ray in a layer.
std::vector<double> project_as_printed(const ScanGeometry& geometry, const VolumeGrid& grid,
                                       std::span<const float> volume, ViewSubset views,
                                       const Reading& reading = {},
                                       const Interrupt* interrupt = nullptr);

/// Returns the backprojection of the rays of a whole scan, [view][row][column], as a volume, mm
/// times the unit of the rays. A voxel gets the mean of each view, its rays weighted with their
/// lengths in a layer, over the rectangle that the middles of the sides of the voxel's middle plane
/// cast onto the detector. With a `step` above 1, only every step-th voxel along x and y is
/// computed; the result is then [z][y][x] of these.
std::vector<double> backproject_as_printed(const ScanGeometry& geometry, const VolumeGrid& grid,
                                           std::span<const float> rays, ViewSubset views,
                                           const Reading& reading = {}, int step = 1,
                                           const Interrupt* interrupt = nullptr);

}  // namespace branchless_dd
}  // namespace gantry
