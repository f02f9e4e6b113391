#pragma once

#include "core/alignment/centre_from_data.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Returns the axis of rotation that the data tell, a column of the scan, from the part of the
/// detector that the beam reaches (lit_part()). `moves_mm`: of the object from view to view, as
/// still_views() takes them; empty: it only turned. `lacks_flat`: as centre_without_flat() needs.
std::optional<CentreWithoutFlat> centre_told(const ScanGeometry& geometry,
                                             std::span<const float> line_integrals,
                                             std::span<const Vec3> moves_mm, bool lacks_flat);

}  // namespace gantry
