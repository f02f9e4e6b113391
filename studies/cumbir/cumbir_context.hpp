#pragma once

#include "core/physics/noise.hpp"
#include "studies/cumbir/printed.hpp"
#include "studies/scaled_case.hpp"
#include "studies/study_context.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry::cumbir {

/// A low-dose scan of a phantom: exact line integrals, from which noisy data are drawn.
struct Scanned {
  printed::Scan printed;
  BenchCase setting;
  std::vector<float> exact, truth;  ///< rays; voxels, 1/mm
};

/// Data of a scan with the noise of one seed, and their statistical weights.
struct NoisyData {
  std::vector<float> line_integrals, weights;
};

/// The common base of the study: the scans of Table 2 at the study's scale, and where the methods
/// run.
class CumbirContext : public StudyContext {
 public:
  explicit CumbirContext(const StudyOptions& options);

  /// The device on which the methods run: the CUDA device where there is one.
  std::string device() const { return has_gpu() ? "cuda" : "cpu"; }
  Backend& backend() const { return backends().resolve(device()); }
  std::vector<std::string> method_devices() const { return {backends().entry(device()).name}; }
  /// Returns the scan of a line of Table 2. Voxels are cubes that hold the phantom; the source is 4
  /// image sides from the axis and 8 from the detector, which sees the whole volume's width. Throws
  /// Interrupted.
  Scanned scan(const printed::Scan& line) const;
  /// Returns the scan of the Shepp-Logan phantom, print's representative one, made once.
  const Scanned& shepp_logan();
  /// Returns the scan of a line of Table 2 without data.
  BenchCase setting(const printed::Scan& line) const;
  NoisyData noisy(const Scanned& scanned, int seed) const;
  /// Makes a projector of the catalogue on the device, whose computations check for the study's
  /// interrupt.
  std::unique_ptr<Projector> make(const std::string& projector, const BenchCase& setting) const;

  StudyTable summary;  ///< claims of print and what holds here

 private:
  std::optional<Scanned> shepp_logan_;
};

/// Photons of an unattenuated ray.
constexpr double photons = 1e5;

}  // namespace gantry::cumbir
