#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// How the pixels of a file are stored.
struct DicomPixelFormat {
  int rows = 0, columns = 0, frames = 1;  ///< frames: number of images
  int bits_allocated = 16, bits_stored = 16, high_bit = 15;
  bool is_signed = false;

  /// Returns the number of pixels of one image.
  std::size_t frame_size() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
};

/// The stored values of the images in one DICOM file, decoded from any transfer syntax that this
/// build can decode: native (little, big endian, deflated), RLE, JPEG, JPEG-LS, JPEG 2000.
class DicomPixels {
 public:
  /// Reads the whole file and decodes its images, except JPEG 2000 images, which read() decodes.
  /// Throws InputError when the images are not grey-scale of 8 or 16 bits; when the pixel data are
  /// cut short, longer than the header says or contradict the header; when decoding would take more
  /// than allowed_memory() of the file; or when the transfer syntax cannot be decoded: the message
  /// then names syntax and UID.
  explicit DicomPixels(const std::string& path);
  ~DicomPixels();
  DicomPixels(DicomPixels&&) noexcept;
  DicomPixels& operator=(DicomPixels&&) noexcept;

  const DicomPixelFormat& format() const;

  /// Returns the decoders' warnings, and harmless contradictions between pixel data and header,
  /// that were found so far, one line each. Each read() may add lines.
  const std::vector<std::string>& notes() const;

  /// Writes the stored values of image `frame` to `values`, [row][column], before rescaling: the
  /// lowest bits_stored bits, with their sign where the format is signed. Throws ShapeError when
  /// there is no such image or `values` does not have frame_size() elements, InputError when the
  /// data cannot be decoded.
  void read(int frame, std::span<std::int32_t> values) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gantry
