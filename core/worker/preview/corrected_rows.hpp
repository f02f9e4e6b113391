#pragma once

#include "core/backend/backend_list.hpp"
#include "core/base/interrupt.hpp"
#include "core/catalog/catalog.hpp"
#include "core/job/experiment.hpp"
#include "core/worker/preview/scan_rows.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace gantry {

/// What may be done to all of a scan for some of its rows: read and correct it, or nothing, so that
/// the time and the memory that rows take do not grow with the detector.
enum class WholeScan { may_be_made, stays_as_kept };

/// Rows of a measured scan, corrected again and again with other parameters of one correction. What
/// comes before that correction is done once, and kept. From there on, corrections that treat each
/// row by itself are applied to these rows alone; up to the last of the others, the whole scan is
/// corrected anew each time. Several threads may use an object; they wait for each other.
class CorrectedRows {
 public:
  /// Both must outlive the object.
  CorrectedRows(const Catalog& catalog, const BackendList& backends)
      : catalog_(catalog), backends_(backends) {}

  /// Returns rows of the scan of an experiment, with the columns that the import adds. The
  /// corrections that are applied before the one of the index `varied` are those that are kept for
  /// the next call. Throws UsageError where the whole scan is needed that must stay as it is kept
  /// in shared_scan_cache(), what reading and correcting the scan throw, and Interrupted.
  ScanRows of(const Experiment& experiment, std::size_t varied, RowRange rows, WholeScan whole,
              const Interrupt& interrupt);

 private:
  using Steps = std::vector<CorrectionSpec>;

  /// Rows of the whole scan of an experiment, after some of its corrections.
  struct Before {
    Experiment experiment;  ///< with the corrections that are done
    RowRange range;
    ScanRows rows;
    std::shared_ptr<const ScanGeometry> measured;  ///< the whole scan, without added columns
    bool lengths_are_known = true;
  };
  Before made(const Experiment& experiment, const Steps& steps, RowRange rows, WholeScan whole,
              const Interrupt& interrupt) const;
  std::size_t end_of_whole(const Steps& steps, std::size_t first,
                           const ScanGeometry& measured) const;
  void correct(Before& rows, const Steps& steps, const Interrupt& interrupt) const;

  const Catalog& catalog_;
  const BackendList& backends_;
  std::mutex mutex_;
  std::optional<Before> before_;
};

/// Returns the index, among the corrections that two experiments apply, of the first that differs.
std::size_t first_changed_correction(const Experiment& a, const Experiment& b);

}  // namespace gantry
