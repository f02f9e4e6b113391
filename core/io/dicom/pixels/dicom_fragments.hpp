#pragma once

#include <cstdint>
#include <vector>

class DcmPixelSequence;

namespace gantry {

/// Returns the compressed images of a file, each assembled from its fragments. Where there are as
/// many fragments as images, each fragment is an image. Otherwise images begin at the fragments
/// that the offset table names or, where the table is empty, at those that start with the marker of
/// a JPEG, JPEG-LS or JPEG 2000 stream. Throws InputError when a fragment is damaged or table,
/// fragments and the number of images contradict one another.
std::vector<std::vector<std::uint8_t>> read_codestreams(DcmPixelSequence& sequence, int frames);

}  // namespace gantry
