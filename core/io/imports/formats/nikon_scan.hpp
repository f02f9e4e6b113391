#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// A scan of a Nikon (X-Tek) machine: settings in a file .xtekct (nikon_settings.hpp), beside them
/// TIFF projections NAME_0001.tif and so on. The machine has normalised them by its flats: what a
/// cell shows without an object is the field WhiteLevel.
ImportFormat nikon_scan_format();

}  // namespace gantry
