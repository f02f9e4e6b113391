#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"
#include "core/io/files/data_seal.hpp"
#include "core/io/files/file_format.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gantry {

/// A scan on its way to another program. The data lie beside the scripts in data_name():
/// float32, little-endian, [view][row][column].
struct ScanToExport {
  ScanGeometry geometry;
  VolumeGrid grid;          ///< on which the script reconstructs
  std::string name;         ///< begins the names of all files: "head" gives head_astra.py
  std::string description;  ///< one line: what the data are
  std::string writer;       ///< "Gantry 1.2"
  DataSeal data = {};       ///< of the data file; the script refuses data that differ

  std::string data_name() const { return name + ".f32"; }
};

/// A text file of an export.
struct ExportedText {
  std::string name, text;
};

/// A program that scans are exported to, as a script in Python with the geometry in the program's
/// own conventions. The first file is the script.
struct ExportFormat {
  std::string key;    ///< "astra"
  std::string label;  ///< "ASTRA"
  std::string takes;  ///< what it takes, for the help: "parallel, fan, cone; free poses"
  /// Throws UsageError, in one line, for a scan that the program cannot take.
  std::function<std::vector<ExportedText>(const ScanToExport&)> write = {};
};

/// Returns every program, in the order in which help texts list them.
const FormatRegistry<ExportFormat>& export_formats();

// The programs. Which numbers each of them takes is told in the file of its name, with its source.
ExportFormat astra_export();
ExportFormat rtk_export();
ExportFormat tigre_export();
ExportFormat leap_export();
ExportFormat cil_export();

}  // namespace gantry
