#include "core/centring/turning_views.hpp"

#include "core/alignment/lit_part.hpp"
#include "core/geometry/shifted_circle.hpp"

#include <utility>

namespace gantry {

TurningViews::TurningViews(const ScanGeometry& scan, std::span<const float> line_integrals)
    : scan_(scan), line_integrals_(line_integrals) {
  const auto shifted = shifted_circle(scan.spec());
  if (!shifted) {
    if (auto lit = lit_part(scan, line_integrals)) {
      column_offset_ = lit->first_column;
      take(std::move(lit->views));
    }
    return;
  }
  StillViews still =
      still_views(shifted->circle, line_integrals, moves_like(shifted->circle, shifted->shifts));
  take(std::move(still));
  column_offset_ = scan.spec().central_column - shifted->circle.central_column;
}

void TurningViews::take(StillViews views) {
  changed_.emplace(std::move(views.scan));
  changed_values_ = std::move(views.line_integrals);
}

}  // namespace gantry
