#pragma once

#include "core/data/patient_frame.hpp"
#include "core/data/volume.hpp"
#include "core/io/dicom/series/dicom_frame.hpp"
#include "core/io/dicom/series/dicom_upright.hpp"
#include "core/io/dicom/series/uneven_slices.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Images put in order, and the grid that they fill.
struct DicomStack {
  std::vector<std::size_t> order;     ///< order[iz] = index into the frames given
  VolumeGrid grid;                    ///< centred on the world's origin
  std::optional<PatientFrame> frame;  ///< voxel (0,0,0) maps onto the position of image order[0]
  std::vector<std::string> notes;
  /// Filled where slices were asked to be resampled and are not even and upright: they go onto
  /// `grid` from here, in the order of `order`.
  std::optional<UprightSlices> resampling;
};

/// Sorts images by their position along the normal of the slices (row x column directions), which
/// becomes the world's z axis; the distance along that normal is the voxel size in z.
/// A single image without position or orientation is taken too: it then has no patient frame.
/// Throws InputError, naming files and positions, when images differ in size, spacing or
/// orientation, one is there twice, or an attribute that is needed is missing; UnevenSeries when a
/// slice is missing, the distances are uneven by more than 1 % of a slice or the slices are shifted
/// sideways unevenly, unless `uneven` says what to do then.
DicomStack stack_images(std::span<const DicomFrame> images, const std::string& where,
                        UnevenSlices uneven = UnevenSlices::refuse);

}  // namespace gantry
