#pragma once

#include "core/io/exports/export_format.hpp"
#include "core/io/files/atomic_file.hpp"

#include <span>
#include <string>

namespace gantry {

/// Returns what the files of an export are called after a scan file: "head" for "a/head.scan.json".
/// Characters that are not letters, digits, '.', '_' or '-' become '_'.
std::string export_name(const std::string& scan_path);

/// Writes the files of an export and the line integrals, [view][row][column], into a folder, which
/// exists. Each file is written completely or not at all, the script last; the script refuses files
/// of another export, so that a writer that is killed between two files leaves no mixture that
/// somebody could take for a scan. `access` applies to new files. Throws OutputError; UsageError
/// for a scan that the program cannot take; ShapeError unless the number of values is that of the
/// scan's rays.
void write_export(const std::string& folder, const ExportFormat& format, ScanToExport scan,
                  std::span<const float> line_integrals, FileAccess access = FileAccess::usual);

}  // namespace gantry
