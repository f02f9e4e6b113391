// The scans of Table 2.
#include "studies/cumbir/parts.hpp"

namespace gantry::cumbir {

void scans(CumbirContext& context, StudyResult& result) {
  StudyTable table = StudyTable::comparing("table-2", "Scans, with the number of rays (Table 2)",
                                           {{"phantom", ""},
                                            {"voxels in print", ""},
                                            {"detector, chosen here", ""},
                                            {"views, chosen here", ""},
                                            {"phantom here", ""}},
                                           "million rays");
  for (const printed::Scan& line : printed::table_2) {
    const auto by = [](int a, int b) { return std::to_string(a) + " x " + std::to_string(b); };
    table.compare({line.name, by(line.nx, line.ny) + " x " + std::to_string(line.nz),
                   by(line.columns, line.rows), static_cast<double>(line.views),
                   context.catalog().phantoms.at(line.phantom).label},
                  line.million_rays,
                  1e-6 * static_cast<double>(context.setting(line).geometry->rays()),
                  another_size(context.scale()));
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::cumbir
