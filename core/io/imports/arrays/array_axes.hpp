#pragma once

#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/import_settings.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// The axis of views that a format's arrays of three axes usually have. Of the other two the first
/// is that of rows.
struct UsualViews {
  std::size_t axis = 0;
  std::string why;  ///< "the usual order in HDF5"
};

/// Returns the axes of projections, and adds to `assumptions` how they were found. In this order:
/// - The user states the order of the axes, or whether images along the usual axis of views are
///   projections or sinograms.
/// - The only axis that is as long as the list of angles (0: not known) is that of views.
/// - The usual axis is that of views.
/// An array of two axes has views and columns of a single row, unless the user states that its
/// images are projections. Throws UsageError if the stated order has another number of axes than
/// the array.
FrameAxes axes_of_projections(const StoredArray& array, std::size_t angles,
                              const ImportSettings& settings, const UsualViews& usual,
                              std::vector<Assumption>& assumptions);

/// Returns the orders that the axes of projections may have as well as those of
/// axes_of_projections(); nothing where the user states them. A list of `angles` tells the axis of
/// views, unless there is none (0).
OtherAxes other_axes(const StoredArray& array, const FrameAxes& axes, std::size_t angles,
                     const ImportSettings& settings);

/// Returns the axes of frames [frame][row][column] or, of fewer axes, of a single one.
FrameAxes axes_of_frames(std::size_t dimensions);

/// Returns the axes of flats or darks of this size beside projections with such axes. As many axes
/// mean the same, where their sizes fit the cells of the projections; else view, row, column, or
/// the axes of views and rows are exchanged. One axis less is that of a single frame.
FrameAxes axes_beside(const std::vector<std::uint64_t>& size, const FrameSource& projections,
                      const FrameAxes& of_projections);

/// Returns the flats or darks in an array beside projections, by axes_beside(),
/// without_single_axes(). Where another order of the axes fits, too, and its frames are far more
/// alike, as those of one beam are, it is taken, which is added to `assumptions`.
std::shared_ptr<const FrameSource> frames_beside(StoredArray array, const FrameSource& projections,
                                                 const FrameAxes& of_projections,
                                                 std::vector<Assumption>& assumptions);

}  // namespace gantry
