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

/// Images sorted into a stack, and the grid of its voxels.
struct DicomStack {
  std::vector<std::size_t> order;     ///< order[iz] = index into the given images
  VolumeGrid grid;                    ///< centred on the origin of the world
  std::optional<PatientFrame> frame;  ///< voxel (0,0,0) maps onto the position of image order[0]
  std::vector<std::string> notes;     ///< what a user should know, one line each
  /// How to interpolate the images, in the order of `order`, onto `grid`; set where resampling was
  /// requested and the slices are not an even, upright stack.
  std::optional<UprightSlices> resampling;
};

/// Sorts images by their position along the normal of the slices (row direction x column
/// direction), which becomes the z axis of the world; the distance along the normal is the voxel
/// size in z. A single image without position or orientation is accepted and has no patient frame.
/// Throws InputError, naming files and positions, when two images lie at the same position, or a
/// required attribute is missing. Where a slice is missing, the distances are uneven by more than
/// 1 % of a slice distance or the slices are shifted sideways unevenly by more than half a pixel,
/// `uneven` says what to do; with UnevenSlices::refuse, the function throws UnevenSeries. Of images
/// that differ in size, pixel size or orientation, `resample` and `largest_part` read the largest
/// group of alike ones.
DicomStack stack_images(std::span<const DicomFrame> images, const std::string& where,
                        UnevenSlices uneven = UnevenSlices::refuse);

}  // namespace gantry
