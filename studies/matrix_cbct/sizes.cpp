// Memory of the matrix and its transpose: Chen et al., Table 1.
#include "studies/format_footprints.hpp"
#include "studies/matrix_cbct/parts.hpp"
#include "studies/matrix_cbct/printed.hpp"
#include "studies/nonzeros.hpp"

namespace gantry::matrix_cbct {

void sizes(MatrixStudyContext& context, StudyResult& result) {
  context.say("nonzeros of whole matrices");
  std::vector<BenchCase> full;
  for (const printed::Size& size : context.wanted_sizes(printed::sizes)) {
    full.push_back(setting_of(size, 1));
    const BenchCase& setting = full.back();
    const double rows = 1.0 * setting.geometry->views() * setting.geometry->columns(),
                 voxels = static_cast<double>(setting.grid.voxels());
    context.add_summary_line({"sizes", "dense, " + setting.name, "GB of 2^30 B"}, size.dense_gb,
                             4 * rows * voxels / 1073741824.0, like_for_like);
  }
  add_siddon_matrix_sizes(result, context.sizes());
  // Columns: image, scan, format, nonzeros, longest row; printed, here, deviation.
  for (const auto& row : std::vector(result.tables.back().rows))
    context.add_summary_line(
        {"sizes", row[2].words + ", " + row[0].words + ", " + row[1].words, "MB of 2^20 B"}, row[5],
        row[6], row[7].words);
  result.notes.push_back(
      "Memory: print's MB and GB are read as 2^20 and 2^30 bytes, as its dense matrices show: 4 B "
      "x "
      "46080 x 65536 are 11.25 GB of 2^30 B, 4 B x 184320 x 262144 are 180.");
  const PrintedRatio none = [](const MatrixMethod&, std::size_t) { return StudyCell(); };
  add_estimated_footprints(context, full, none, result);
  for (const std::string& backend : context.matrix_backends())
    add_built_footprints(
        context, backend,
        setting_of(context.wanted_sizes(printed::sizes).front(), context.scale_on(backend)), 0,
        none, result);
}

}  // namespace gantry::matrix_cbct
