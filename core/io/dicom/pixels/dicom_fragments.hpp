#pragma once

#include <cstdint>
#include <vector>

class DcmPixelSequence;

namespace gantry {

/// The compressed images of a file, each put together from its fragments. The offset table says
/// where each begins; where it is empty, each fragment is an image, or the marker that begins a
/// JPEG, JPEG-LS or JPEG 2000 stream tells. Throws InputError when a fragment is damaged or table,
/// fragments and the number of images contradict each other.
std::vector<std::vector<std::uint8_t>> read_codestreams(DcmPixelSequence& sequence, int frames);

}  // namespace gantry
