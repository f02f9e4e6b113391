#pragma once

#include <string>
#include <vector>

namespace gantry {

/// Collects, during its life, the warnings of DCMTK's JPEG and JPEG-LS decoders on the thread that
/// created it; the warnings are not printed. start_dicom() must have been called before. A thread
/// may have one object of this class at a time.
class DecoderWarnings {
 public:
  DecoderWarnings();
  ~DecoderWarnings();
  DecoderWarnings(const DecoderWarnings&) = delete;
  DecoderWarnings& operator=(const DecoderWarnings&) = delete;

  /// Returns the warnings, one line each, none twice, at most 20.
  const std::vector<std::string>& lines() const { return lines_; }
  /// Returns the first warning that tells of invented pixels; empty where there is none.
  std::string of_damage() const;

 private:
  std::vector<std::string> lines_;
};

}  // namespace gantry
