#pragma once

#include "core/io/imports/import_settings.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <memory>

namespace gantry {

/// Returns the views of images that are sinograms [image][view][column] once they are turned, as
/// `turn` has it: each image is a row of the detector, the first one the uppermost. All images
/// are read as a whole at the first request.
std::shared_ptr<const FrameSource> frames_of_sinograms(std::shared_ptr<const FrameSource> images,
                                                       const FrameTurn& turn);
/// Returns whether projections are, or were chosen of, what frames_of_sinograms() returns.
bool are_views_of_sinograms(const FrameSource& projections);

/// Returns flats or darks for projections that were made of sinograms: as many images as the
/// detector has rows are taken as sinograms are. Others are images of the detector: mirrored as
/// sinograms are, but left as they are where these lie otherwise. Null for null.
std::shared_ptr<const FrameSource> beside_sinograms(std::shared_ptr<const FrameSource> images,
                                                    const FrameSource& projections,
                                                    const FrameTurn& turn = {});

}  // namespace gantry
