#pragma once

#include <string>
#include <vector>

namespace gantry {

/// While one lives, what the JPEG and JPEG-LS decoders of the DICOM library warn of on this
/// thread goes into it and nowhere else. Needs start_dicom() before. One at a time on a thread.
class DecoderWarnings {
 public:
  DecoderWarnings();
  ~DecoderWarnings();
  DecoderWarnings(const DecoderWarnings&) = delete;
  DecoderWarnings& operator=(const DecoderWarnings&) = delete;

  /// One line each, none twice.
  const std::vector<std::string>& lines() const { return lines_; }
  /// The first warning that says that pixels were made up; empty where there is none.
  std::string of_damage() const;

 private:
  std::vector<std::string> lines_;
};

}  // namespace gantry
