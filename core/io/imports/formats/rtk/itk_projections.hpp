#pragma once

#include "core/io/files/file_format.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <string>

namespace gantry {

/// What an image of ITK, MetaImage or NRRD, is called whose axes are those of columns, rows and
/// views, as RTK writes projections. Its names and first bytes are those of volumes.
FileFormat itk_image_format();

/// Returns how many views the header of such an image states, without reading the rest. Throws
/// InputError.
int views_of_itk(const std::string& path);

/// Opens such an image: its frames, the size of their cells, and where the origin puts the point
/// (0, 0). Columns grow along the first axis of the physical space, rows upwards along the second
/// one, as RTK takes them, so that the first row of a frame is the lowest. Frames are turned over
/// where the directions of the image run backwards. Throws InputError: an image whose axes do not
/// lie along those of the space.
RawScan open_itk_projections(const std::string& path);

}  // namespace gantry
