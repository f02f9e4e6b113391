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

/// The value that replaces values outside the scan field, HU.
inline constexpr double air_hu = -1000;

/// Statistics of the values of all slices.
struct ValueStatistics {
  std::size_t padded = 0;  ///< number of voxels outside the scan field
  double lowest_hu = 0;    ///< lowest value, 0 at most
  std::vector<std::string> decoder_notes;
};

/// Converts the stored values of an image to attenuation, 1/mm, both [row][column]; padding becomes
/// air. Updates `statistics`. Throws InputError naming the file when a value is not finite after
/// rescaling.
void convert_to_mu(std::span<const std::int32_t> stored, const DicomFrame& image, double mu_water,
                   std::span<float> mu, ValueStatistics& statistics);

/// Reads the pixels of one image after the other. A file stays open until an image of another file
/// is read, so that a multi-frame file is opened once.
class SliceSource {
 public:
  /// Reads the stored values of an image, [row][column]; resizes `stored` to their number. Where
  /// the image `next` that is read next is known and lies in another file, that file is decoded
  /// while the caller uses the values. Throws InputError naming the file when its pixels cannot be
  /// read as its header says.
  void read(const DicomFrame& image, std::vector<std::int32_t>& stored,
            const DicomFrame* next = nullptr);

  /// Returns the decoders' notes so far, with the names of the files; only the first few notes are
  /// kept.
  const std::vector<std::string>& notes();

 private:
  void open(const std::string& path);
  void keep_notes();

  std::vector<std::string> notes_;
  std::string path_;
  std::optional<DicomImages> pixels_;  // of path_; not there yet or no more: nothing
};

/// Throws the InputError that loading a series with this image would throw, unless the image can be
/// decoded and has finite values.
void require_usable_pixels(const DicomFrame& image);

}  // namespace gantry
