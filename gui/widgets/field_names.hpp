#pragma once

#include "core/catalog/catalog.hpp"

#include <QString>

namespace gantry {

/// Returns a message about the import of a scan with the names of the window's fields in place of
/// options of the command line: "Cell of the detector" for --pixel.
QString options_as_fields(QString message);

/// Returns a message about a scan, its noise or a run with the names of the window's fields in
/// place of those of files and of options: "Source to axis" for source_to_isocenter_mm.
QString in_names_of_fields(QString message);

/// Does the same with the keys of algorithms and of their parameters: "OS-SART" for os_sart,
/// "Coarse grids" for coarse_levels. The key of an algorithm without an underscore is replaced
/// where its label is the same word ("SIRT" for sirt); others are ordinary words, too.
QString in_names_of_fields(const QString& message, const Catalog& catalog);

}  // namespace gantry
