#pragma once

#include "core/io/dicom/pixels/dicom_pixels.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The images of one DICOM file as in DicomPixels, but decoded in a separate process where the
/// program gantry-decoder is found, else in this process. If a damaged file crashes the separate
/// process, only that file is lost.
class DicomImages {
 public:
  /// Has the decoder process open the file, without waiting for it: whoever has something else to
  /// do meanwhile need not wait. The first call of another function waits, and throws as
  /// DicomPixels does, and InputError when the decoder process crashed on the file or took too
  /// long.
  explicit DicomImages(const std::string& path);
  ~DicomImages();
  DicomImages(DicomImages&&) noexcept;
  DicomImages& operator=(DicomImages&&) noexcept;

  const DicomPixelFormat& format() const;

  /// Returns what DicomPixels::notes() returns; nothing before another function was called. Throws
  /// InputError as read() does.
  const std::vector<std::string>& notes() const;

  /// Does what DicomPixels::read() does. Throws InputError also when the decoder process crashed on
  /// the image or took too long.
  void read(int frame, std::span<std::int32_t> values) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gantry
