// One line per program that scans are exported to.
#include "core/io/exports/export_format.hpp"

namespace gantry {

const FormatRegistry<ExportFormat>& export_formats() {
  static const FormatRegistry<ExportFormat> formats = [] {
    FormatRegistry<ExportFormat> all{"program to export to"};
    all.add(astra_export());
    all.add(rtk_export());
    all.add(tigre_export());
    all.add(leap_export());
    all.add(cil_export());
    return all;
  }();
  return formats;
}

}  // namespace gantry
