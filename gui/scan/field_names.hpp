#pragma once

#include <QString>

namespace gantry {

/// Returns a message about a scan with the names of the panel's fields in place of those of files:
/// "Source to axis" for source_to_isocenter_mm.
QString in_names_of_fields(QString message);

}  // namespace gantry
