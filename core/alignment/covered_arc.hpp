#pragma once

#include <optional>
#include <span>

namespace gantry {

/// The angle that a scan covers.
struct CoveredArc {
  double arc_deg = 180;  ///< 180 or 360
  bool is_open = false;  ///< the last view lies a step before the end of the arc
};

/// Concludes from the data of a parallel beam, whose views are at equal steps, what arc they cover.
/// Half or whole turn: see arc_of_end_views(). Whether the end itself is measured is told by the
/// consistency conditions of Helgason and Ludwig (Natterer, The Mathematics of Computerized
/// Tomography, 1986, theorem II.4.2): the first and second moment of a view over the columns are
/// trigonometric polynomials of degree 1 and 2 of its angle, and fit those of the right angles
/// better. `line_integrals`: [view][row][column]. Returns nothing if the end views tell no arc.
std::optional<CoveredArc> covered_arc(int views, int rows, int columns,
                                      std::span<const float> line_integrals);

}  // namespace gantry
