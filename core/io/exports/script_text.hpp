#pragma once

#include "core/io/exports/export_format.hpp"

#include <span>
#include <string>
#include <vector>

namespace gantry {

/// A script in Python under construction: what all programs' scripts have in common.
struct ScriptParts {
  std::string program;    ///< "ASTRA"
  std::string key;        ///< ends the script's name: "astra" gives head_astra.py
  ExportedText geometry;  ///< the file beside the script that it reads as exported(GEOMETRY_FILE)
  std::string requirements;  ///< how to get it, one line
  std::string conventions;   ///< the program's conventions and their source, several lines
  std::string verified;      ///< what of the script was run and held against what, several lines
  std::string imports;       ///< lines of Python
  std::string constants;     ///< lines of Python: the geometry
  /// Functions in Python: project(mu, grid) and reconstruct(projections, grid, iterations), with
  /// mu [z][y][x] in 1/mm and projections [view][row][column]. They may use what stands in
  /// script_text.cpp before them.
  std::string functions;
};

/// Functions in Python, for ScriptParts::functions: project() and reconstruct() of programs that
/// take a stack of slices (STACK) as single fans, each as SLICE_ROWS equal rows of which the middle
/// one counts. They call forward(mu, grid, rows) and backward(projections, grid, iterations).
extern const char* const slice_by_slice;

/// Returns the files of an export: the script, which projects a volume and says how far it is from
/// the scan, or reconstructs the scan; and the geometry that it reads. The script ends with one
/// line where the data or the geometry are not those of the same export, such as after an export
/// that was killed between two files.
std::vector<ExportedText> script_files(const ScanToExport& scan, const ScriptParts& parts);

/// Returns "True" or "False".
inline std::string truth(bool value) { return value ? "True" : "False"; }

/// Returns the shortest text that reads back as the same number.
std::string exact(double value);

/// A table with a row of numbers for each view, as numpy.loadtxt reads it.
class ViewTable {
 public:
  /// `head`: lines that begin with "#".
  explicit ViewTable(std::string head) : text_(std::move(head)) {}
  void add(std::span<const double> numbers);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Returns the three numbers of each vector, one after the other.
std::vector<double> numbers_of(std::initializer_list<Vec3> vectors);

}  // namespace gantry
