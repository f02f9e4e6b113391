#pragma once

#include "core/io/volumes/volume_format.hpp"

namespace gantry {

/// Returns every format of volumes, in the order in which dialogs list them.
const FormatRegistry<VolumeFormat>& volume_formats();

}  // namespace gantry
