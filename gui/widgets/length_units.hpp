#pragma once

#include <QCoreApplication>
#include <QString>

#include <string>

namespace gantry {

/// Returns the unit of lengths, "mm", or "cells" where the size of a cell is unknown and taken as 1
/// mm.
inline QString length_unit(bool lengths_are_known) {
  return lengths_are_known ? QCoreApplication::translate("LengthUnits", "mm")
                           : QCoreApplication::translate("LengthUnits", "cells");
}

/// Returns the unit of attenuation on the same scale, "1/mm" or "1/cell".
inline QString mu_unit(bool lengths_are_known) {
  return lengths_are_known ? QCoreApplication::translate("LengthUnits", "1/mm")
                           : QCoreApplication::translate("LengthUnits", "1/cell");
}

/// Returns the unit of a metric as it is shown: "mm" and "1/mm" stand for those of the images.
inline QString shown_unit(const std::string& unit, bool lengths_are_known) {
  return unit == "1/mm" ? mu_unit(lengths_are_known)
         : unit == "mm" ? length_unit(lengths_are_known)
                        : QString::fromStdString(unit);
}

}  // namespace gantry
