#pragma once

#include "core/base/interrupt.hpp"
#include "core/base/params.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// A correction of a scan with its parameters, as experiments and the command line name it.
struct CorrectionSpec {
  std::string key;  ///< in the catalogue
  Params params;
  bool off = false;  ///< whether it stays in the list but is not applied

  friend bool operator==(const CorrectionSpec&, const CorrectionSpec&) = default;
};

/// Returns the steps that are not switched off.
std::vector<CorrectionSpec> applied(const std::vector<CorrectionSpec>& steps);

/// A correction of measured projections, applied before they are reconstructed. Made for the
/// geometry of one scan; its settings are the parameters of its entry in the catalogue.
class Correction {
 public:
  virtual ~Correction() = default;
  Correction(const Correction&) = delete;
  Correction& operator=(const Correction&) = delete;

  /// Corrects the line integrals of the whole scan, [view][row][column], no unit, in place. Returns
  /// notes on what was done, one line each. `interrupt` may be null. Throws ShapeError for another
  /// number of values, InputError for a scan that cannot be corrected, and Interrupted; the values
  /// are then corrected in part.
  std::vector<std::string> apply(std::span<float> line_integrals,
                                 const Interrupt* interrupt = nullptr) const;
  /// Returns the memory that apply() takes beside the values, bytes.
  virtual std::size_t workspace_bytes() const { return 0; }
  /// Whether the result depends on the size of a cell in mm, so that it must be known.
  virtual bool needs_lengths() const { return false; }

 protected:
  explicit Correction(const ScanGeometry& scan)
      : views_(scan.views()), rows_(scan.rows()), columns_(scan.columns()) {}

  int views() const { return views_; }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  /// Returns the number of cells of the detector: the values of a view.
  std::size_t cells() const {
    return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_);
  }
  std::span<float> view(std::span<float> line_integrals, std::ptrdiff_t index) const {
    return line_integrals.subspan(static_cast<std::size_t>(index) * cells(), cells());
  }

 private:
  /// Implements apply(), which has checked the number of values.
  virtual std::vector<std::string> correct(std::span<float> line_integrals,
                                           const Interrupt* interrupt) const = 0;

  int views_, rows_, columns_;
};

/// Returns "1 cell" or "12 cells", as notes say it.
std::string counted(std::size_t count, const std::string& thing);

}  // namespace gantry
