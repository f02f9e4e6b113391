#pragma once

#include "core/io/dicom/series/dicom_frame.hpp"
#include "core/io/dicom/series/dicom_images.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// What values outside the scan field become.
inline constexpr double air_hu = -1000;

/// What the values turned out to be, over all slices.
struct ValueStatistics {
  std::size_t padded = 0;
  double lowest_hu = 0;
  std::vector<std::string> decoder_notes;
};

/// Turns the stored values of an image into attenuation. Throws InputError naming the file when a
/// value is not finite after rescaling.
void convert_to_mu(std::span<const std::int32_t> stored, const DicomFrame& image, double mu_water,
                   std::span<float> mu, ValueStatistics& statistics);

/// The pixels of one image after the other; a multi-frame file is opened once.
class SliceSource {
 public:
  /// Throws InputError naming the file when its pixels cannot be read as its header says.
  void read(const DicomFrame& image, std::vector<std::int32_t>& stored);

  /// What the decoders warned of, with the file's name; the first few files stand for all.
  const std::vector<std::string>& notes();

 private:
  void keep_notes();

  std::vector<std::string> notes_;
  std::string path_;
  std::optional<DicomImages> pixels_;
};

/// Throws InputError, as reading a series with it would, unless the image has usable values.
void require_usable_pixels(const DicomFrame& image);

}  // namespace gantry
