#pragma once

#include "core/base/interrupt.hpp"
#include "core/catalog/catalog.hpp"
#include "core/job/scans/scan_cache.hpp"

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// What reading and correcting a measured scan need.
struct MeasuredScanTools {
  const Catalog& catalog;
  const Backend& cpu;
  ScanCache* cache = nullptr;  ///< null: nothing is kept
  const Interrupt* interrupt = nullptr;
  /// Is told how far the work is, 0 .. 1, and what is being done; may be empty.
  std::function<void(double, const std::string&)> progress = {};
};

/// What an experiment says of its measured scan.
struct MeasuredSource {
  std::string path;
  ImportSettings settings;
  std::optional<ScanSpec> geometry;  ///< empty: that of the files
  std::vector<CorrectionSpec> corrections;
};

/// Reads or imports a measured scan and corrects it, as far as that is not kept from before. Keeps
/// it before each step, unless it takes more than an eighth of the free memory.
class MeasuredScanReading {
 public:
  MeasuredScanReading(MeasuredSource source, MeasuredScanTools tools);

  /// Returns the scan as it was read, or after some of its corrections. Throws what read_scan() and
  /// import_scan() do.
  MeasuredScan read() const;
  /// Returns what read() would return without reading files, from the cache, if anything is there.
  KeptScan kept() const;
  /// Does the corrections that are left. Throws what apply_corrections() does; the scan then
  /// has no line integrals.
  void correct(MeasuredScan& scan, const ScanGeometry& geometry) const;
  /// Keep a scan after some of its corrections, without changing it; `head` has no line integrals.
  /// Those that are given may be part of data in use, so that keeping them takes no more memory.
  void keep(const MeasuredScan& head,
            std::shared_ptr<const std::vector<float>> line_integrals) const;
  void keep_copy(const MeasuredScan& head, const std::vector<float>& line_integrals) const;

 private:
  MeasuredScan read_files() const;
  bool may_keep(std::size_t values) const;

  MeasuredSource source_;
  MeasuredScanTools tools_;
  ScanOrigin origin_;
};

/// Returns the line integrals of a scan, which has none afterwards.
inline std::vector<float> taken_line_integrals(MeasuredScan& scan) {
  return std::exchange(scan.scan.line_integrals, {});
}

/// Returns the geometry of the measured cells of a scan: its own, unless an experiment states one,
/// which may also be that of the padded scan. Throws InputError, naming `path`, for one of another
/// size.
std::shared_ptr<const ScanGeometry> measured_geometry(const std::optional<ScanSpec>& of_experiment,
                                                      const Padding& padding,
                                                      const LoadedScan& scan,
                                                      const std::string& path);

/// Whether lengths of a scan are known in a geometry that may have taken the place of its own: a
/// scan of unknown size gets a size by another pitch.
inline bool lengths_are_known(const LoadedScan& scan, const ScanGeometry& geometry) {
  constexpr double rounding = 1e-6;  // of poses, from which a pitch is derived
  const double pitch_mm = scan.geometry->spec().column_pitch_mm;
  return scan.lengths_are_known ||
         std::abs(geometry.spec().column_pitch_mm - pitch_mm) > rounding * pitch_mm;
}

}  // namespace gantry
