#pragma once

#include "core/io/files/arrays/stored_array.hpp"
#include "core/io/imports/import_scan.hpp"

#include <optional>

namespace gantry {

/// Makes a scan of a structure as the HelTomo toolbox of the University of Helsinki writes it:
/// "sinogram" with line integrals, and "parameters" with distances, sizes of cells and angles in
/// degrees. Nothing for files of other arrays. Numbers that contradict each other are named in
/// notes. Throws InputError: parameters that are missing or cannot be.
std::optional<RawScan> helsinki_scan(const ArrayFile& file, const ImportRequest& request);

}  // namespace gantry
