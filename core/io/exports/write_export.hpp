#pragma once

#include "core/io/exports/export_format.hpp"
#include "core/io/files/atomic_file.hpp"

#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Returns what the files of an export are called after a scan file: "head" for "a/head.scan.json".
/// Characters that are not letters, digits, '.', '_' or '-' become '_'.
std::string export_name(const std::string& scan_path);

/// Writes the texts of an export and the line integrals, [view][row][column], into a folder, which
/// exists. Each file is written completely or not at all, the script last. `access` applies to new
/// files. Throws OutputError; ShapeError unless the number of values is that of the scan's rays.
void write_export(const std::string& folder, const ScanToExport& scan,
                  const std::vector<ExportedText>& texts, std::span<const float> line_integrals,
                  FileAccess access = FileAccess::usual);

}  // namespace gantry
