#pragma once

#include "core/corrections/correction.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/job/scans/file_stamps.hpp"

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// A measured scan after some of its corrections, the first of a list.
struct MeasuredScan : ImportedScan {
  double noise_norm = 0;                      ///< ||noise|| of the values as read; 0: not known
  std::vector<std::string> correction_notes;  ///< what the corrections did
  std::size_t steps = 0;                      ///< corrections that are done
};

/// A scan that is kept: all but its line integrals, and these, [view][row][column]; null: none.
struct KeptScan {
  std::shared_ptr<const MeasuredScan> scan;
  std::shared_ptr<const std::vector<float>> line_integrals;
};

/// What a scan was read from: two of them are equal if reading gives the same values.
struct ScanOrigin {
  std::string path;
  ImportSettings settings;
  std::vector<FileStamp> files;  ///< see stamps_beside(); none: not to be kept

  friend bool operator==(const ScanOrigin&, const ScanOrigin&) = default;
};

/// Keeps one measured scan as it was read and after each of its corrections, so that what comes
/// before a correction that is changed is not done again. Takes `most_bytes` of line integrals, 1
/// GiB unless stated; what was not used for longest is given up for others, but never for a scan
/// after all of its corrections, and all of a scan for one of another origin. Several threads may
/// use it at once.
class ScanCache {
 public:
  static constexpr std::size_t usual_bytes = std::size_t{1} << 30;

  explicit ScanCache(std::size_t most_bytes = usual_bytes) : most_bytes_(most_bytes) {}

  /// Returns the scan after as many of the corrections, from the first on, as are kept.
  /// `geometry`: that of the experiment, which corrections may use.
  KeptScan find(const ScanOrigin& origin, const std::optional<ScanSpec>& geometry,
                const std::vector<CorrectionSpec>& corrections);
  /// Keeps a scan after the first `kept.scan->steps` of the corrections, unless it takes more than
  /// most_bytes.
  void keep(const ScanOrigin& origin, const std::optional<ScanSpec>& geometry,
            const std::vector<CorrectionSpec>& corrections, KeptScan kept);

  /// Returns the size of the line integrals that are kept.
  std::size_t bytes() const;

 private:
  struct Entry {
    std::optional<ScanSpec> geometry;
    std::vector<CorrectionSpec> corrections;  ///< those that are done
    KeptScan kept;

    bool is_for(const std::optional<ScanSpec>& of, const std::vector<CorrectionSpec>& all) const;
    std::size_t bytes() const { return kept.line_integrals->size() * sizeof(float); }
  };
  std::size_t bytes_of_all() const;

  const std::size_t most_bytes_;
  mutable std::mutex mutex_;
  ScanOrigin origin_;         // of all entries
  std::list<Entry> entries_;  // in the order of their last use
};

/// Returns the cache that the worker thread, sweeps and previews have in common. It takes 1 GiB, or
/// an eighth of the memory that was free at the first call.
ScanCache& shared_scan_cache();

}  // namespace gantry
