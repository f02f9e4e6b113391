#include "core/centring/turning_views.hpp"

#include "core/alignment/still_views.hpp"
#include "core/geometry/shifted_circle.hpp"

#include <utility>

namespace gantry {

TurningViews::TurningViews(const ScanGeometry& scan, std::span<const float> line_integrals)
    : scan_(scan), line_integrals_(line_integrals) {
  const auto shifted = shifted_circle(scan.spec());
  if (!shifted) return;
  StillViews still =
      still_views(shifted->circle, line_integrals, moves_like(shifted->circle, shifted->shifts));
  still_.emplace(std::move(still.scan));
  shifted_ = std::move(still.line_integrals);
  column_offset_ = scan.spec().central_column - shifted->circle.central_column;
}

}  // namespace gantry
