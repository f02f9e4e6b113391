#pragma once

#include "core/io/dicom/pixels/dicom_pixels.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The images of one DICOM file as DicomPixels has them, decoded in a process apart where the
/// program gantry-decoder is found: what the bytes of a file do to a decoder costs that file alone.
class DicomImages {
 public:
  /// Throws as DicomPixels does, and InputError when the decoder broke on the file.
  explicit DicomImages(const std::string& path);
  ~DicomImages();
  DicomImages(DicomImages&&) noexcept;
  DicomImages& operator=(DicomImages&&) noexcept;

  const DicomPixelFormat& format() const;

  /// What the decoders warned of so far, as DicomPixels::notes. Throws as read().
  const std::vector<std::string>& notes() const;

  /// As DicomPixels::read, and InputError when the decoder broke on the image.
  void read(int frame, std::span<std::int32_t> values) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gantry
