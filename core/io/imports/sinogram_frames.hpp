#pragma once

#include "core/io/imports/raw_scan.hpp"

#include <memory>

namespace gantry {

/// Returns the views of images that are sinograms [image][view][column]: each image is a row of the
/// detector, the first one the uppermost. All images are read as a whole at the first request.
std::shared_ptr<const FrameSource> frames_of_sinograms(std::shared_ptr<const FrameSource> images);

/// Returns flats or darks for projections that were made of sinograms: images of the detector stay
/// as they are, and as many images as the detector has rows are turned as sinograms are; null for
/// null.
std::shared_ptr<const FrameSource> beside_sinograms(std::shared_ptr<const FrameSource> images,
                                                    const FrameSource& projections);

}  // namespace gantry
