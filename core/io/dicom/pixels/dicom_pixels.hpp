#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// How the numbers of an image are stored.
struct DicomPixelFormat {
  int rows = 0, columns = 0, frames = 1;
  int bits_allocated = 16, bits_stored = 16, high_bit = 15;
  bool is_signed = false;

  std::size_t frame_size() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
};

/// The stored values of the images in one DICOM file, decoded from any transfer syntax that the
/// build knows: native (little, big endian, deflated), RLE, JPEG, JPEG-LS, JPEG 2000.
class DicomPixels {
 public:
  /// Reads the whole file; its images are decoded here, JPEG 2000 ones on demand.
  /// Throws InputError when the file is not grey-scale of 8 or 16 bits, its pixel data are cut
  /// short, hold more than the header says or contradict it, or its transfer syntax cannot be
  /// decoded; the message names syntax and UID.
  explicit DicomPixels(const std::string& path);
  ~DicomPixels();
  DicomPixels(DicomPixels&&) noexcept;
  DicomPixels& operator=(DicomPixels&&) noexcept;

  const DicomPixelFormat& format() const;

  /// What the decoders warned of so far, one line each; more may come with each read().
  const std::vector<std::string>& notes() const;

  /// Stored values of one image, [row][column], before rescaling: only the stored bits, with sign.
  /// `values` has frame_size() elements. Throws InputError when the data cannot be decoded.
  void read(int frame, std::span<std::int32_t> values) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gantry
