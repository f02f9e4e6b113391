#include "core/alignment/centre_told.hpp"

#include "core/alignment/lit_part.hpp"
#include "core/alignment/still_views.hpp"

#include <utility>

namespace gantry {

std::optional<CentreWithoutFlat> centre_told(const ScanGeometry& geometry,
                                             std::span<const float> line_integrals,
                                             std::span<const Vec3> moves_mm, bool lacks_flat) {
  if (!moves_mm.empty()) {
    StillViews still = still_views(geometry.spec(), line_integrals, moves_mm);
    return centre_told(ScanGeometry(std::move(still.scan)), still.line_integrals, {}, lacks_flat);
  }
  if (auto lit = lit_part(geometry, line_integrals)) {
    auto told = centre_told(ScanGeometry(std::move(lit->views.scan)), lit->views.line_integrals, {},
                            lacks_flat);
    if (told) told->estimate.column += lit->first_column;
    return told;
  }
  if (lacks_flat) return centre_without_flat(geometry, line_integrals);
  const auto found = centre_from_data(geometry, line_integrals);
  return found ? std::optional(CentreWithoutFlat{*found, true}) : std::nullopt;
}

}  // namespace gantry
