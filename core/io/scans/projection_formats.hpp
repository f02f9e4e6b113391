#pragma once

#include "core/io/scans/projection_format.hpp"

namespace gantry {

/// Returns every format of projections, in the order in which dialogs list them.
const FormatRegistry<ProjectionFormat>& projection_formats();

}  // namespace gantry
