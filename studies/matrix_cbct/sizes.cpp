// Memory of the matrix and its transpose: Chen et al., Table 1; their structure, Fig. 3.
#include "studies/format_footprints.hpp"
#include "studies/matrix_cbct/parts.hpp"
#include "studies/matrix_cbct/printed.hpp"
#include "studies/nonzeros.hpp"
#include "studies/row_matrix.hpp"

#include <algorithm>
#include <map>

namespace gantry::matrix_cbct {

namespace {

/// Returns an image of the nonzeros of a matrix, 1 each, with the first row at the top.
StudyImage structure_of(const std::string& name, const std::vector<std::vector<float>>& rows,
                        const std::string& about) {
  StudyImage image{.key = "fig-3-" + name,
                   .title = "Nonzeros of the matrix of the " + name + ", " + about + " (Fig. 3)",
                   .width = static_cast<int>(rows.front().size()),
                   .height = static_cast<int>(rows.size())};
  for (auto row = rows.rbegin(); row != rows.rend(); ++row)
    image.values.insert(image.values.end(), row->begin(), row->end());
  return image;
}

/// Returns "3 to 40": the fewest and the most nonzeros of a row.
std::string nonzeros_of_rows(const std::vector<std::vector<float>>& rows) {
  std::vector<std::ptrdiff_t> counts;
  for (const auto& row : rows) counts.push_back(std::ranges::count(row, 1.0F));
  const auto [fewest, most] = std::ranges::minmax(counts);
  return std::to_string(fewest) + " to " + std::to_string(most);
}

/// Draws the matrices of projection and backprojection of the scan at an eighth of the printed
/// size.
void structure(const MatrixStudyContext& context, const printed::Size& size, StudyResult& result) {
  const BenchCase setting = setting_of(size, 1.0 / 8);
  const RowMatrix matrix(*context.make({"cpu", "siddon", {}}, setting));
  std::vector<std::vector<float>> rows(matrix.rows(), std::vector<float>(matrix.columns())),
      transposed(matrix.columns(), std::vector<float>(matrix.rows()));
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    std::vector<double> row(matrix.columns());
    matrix.add(i, 1, row);
    for (std::size_t j = 0; j < row.size(); ++j)
      rows[i][j] = transposed[j][i] = row[j] != 0 ? 1.0F : 0.0F;
  }
  const std::string about = std::to_string(setting.grid.nx) + "^2 pixels, " +
                            std::to_string(setting.geometry->views()) + " views, Siddon";
  result.images.push_back(structure_of("projection", rows, about));
  result.images.push_back(structure_of("backprojection", transposed, about));
  result.notes.push_back("Fig. 3: of which matrix is not in print; drawn is that of " + about +
                         ". A row of the projection holds " + nonzeros_of_rows(rows) +
                         " nonzeros, a row of the backprojection " + nonzeros_of_rows(transposed) +
                         ".");
}

}  // namespace

void sizes(MatrixStudyContext& context, StudyResult& result) {
  context.say("nonzeros of whole matrices");
  std::vector<BenchCase> full;
  std::map<std::string, double> dense_mb;                         // by image
  std::map<std::string, std::pair<StudyCell, StudyCell>> ratios;  // of A, of its transpose
  for (const printed::Size& size : context.wanted_sizes(printed::sizes)) {
    full.push_back(setting_of(size, 1));
    const BenchCase& setting = full.back();
    const double rows = 1.0 * setting.geometry->views() * setting.geometry->columns(),
                 voxels = static_cast<double>(setting.grid.voxels());
    context.add_summary_line({"sizes", "dense, " + setting.name, "GB of 2^30 B"}, size.dense_gb,
                             4 * rows * voxels / 1073741824.0, like_for_like);
    dense_mb[std::to_string(size.side) + "^2"] = 4 * rows * voxels / 1048576.0;
    ratios[std::to_string(size.side) + "^2"] = {StudyCell::of_fitted_scan(size.a_ratio),
                                                StudyCell::of_fitted_scan(size.at_ratio)};
  }
  structure(context, context.wanted_sizes(printed::sizes).front(), result);
  add_siddon_matrix_sizes(result, context.sizes());
  // Columns: image, scan, format, nonzeros, longest row; printed, here, deviation.
  for (const auto& row : std::vector(result.tables.back().rows)) {
    const std::string &image = row[0].words,
                      what = row[2].words + ", " + image + ", " + row[1].words;
    context.add_summary_line({"sizes", what, "MB of 2^20 B"}, row[5], row[6], row[7].words);
    if (!row[7].number) continue;  // of another scan than print's
    const auto& [of_a, of_at] = ratios.at(image);
    context.add_summary_line({"sizes", "dense over " + what, "x"},
                             row[2].words.starts_with("A,") ? of_a : of_at,
                             dense_mb.at(image) / *row[6].number, like_for_like, Better::larger);
  }
  result.notes.push_back(
      "Memory: print's MB and GB are read as 2^20 and 2^30 bytes, as its dense matrices show: 4 B "
      "x "
      "46080 x 65536 are 11.25 GB of 2^30 B, 4 B x 184320 x 262144 are 180.");
  add_estimated_footprints(context, full, {}, result);
  for (const std::string& backend : context.matrix_backends())
    add_built_footprints(
        context, backend,
        setting_of(context.wanted_sizes(printed::sizes).front(), context.scale_on(backend)),
        result);
}

}  // namespace gantry::matrix_cbct
