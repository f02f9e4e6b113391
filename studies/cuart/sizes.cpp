// Memory of the matrix: Yu et al. 2019, Table 1 and Fig. 16.
#include "core/geometry/symmetry.hpp"
#include "core/matrix/symmetric/scsr_blocks.hpp"
#include "core/matrix/symmetric/scsr_sample.hpp"
#include "studies/cuart/parts.hpp"
#include "studies/cuart/printed.hpp"
#include "studies/format_footprints.hpp"
#include "studies/nonzeros.hpp"

namespace gantry::cuart {

namespace {

/// Returns the memory of SCSR with a blocking, bytes, without the vectors that a product takes:
/// estimated from some of the stored views.
double blocked_bytes(const Projector& weights, const std::string& blocking) {
  const ScanSymmetry symmetry(weights.geometry(), weights.grid());
  const ScsrSample sample = sample_stored_views(weights, symmetry.stored_views(),
                                                weights.geometry().rows(), blocking == "view");
  return scsr_blocks_bytes(sample, weights, blocking);
}

/// Adds the memory of CSR over that of SCSR's two blockings: Fig. 16.
void add_ratios(MatrixStudyContext& context, StudyResult& result) {
  StudyTable table =
      StudyTable::comparing("fig-16", "Memory of CSR over that of the matrix in SCSR (Fig. 16)",
                            {{"image", ""}, {"blocking", ""}, {"matrix", "GB"}}, "x");
  const std::vector<BenchCase> cases = bench_cases("near512,near1024,near2048");
  for (std::size_t size = 0; size < cases.size(); ++size) {
    const auto weights = context.weights_on_cpu(cases[size]);
    const NonzeroEstimate estimate = estimate_nonzeros(*weights);
    const double csr =
        MatrixStorage::csr_bytes(estimate.nonzeros, static_cast<double>(estimate.rows));
    const std::string image = std::to_string(cases[size].grid.nx) + "^2";
    for (const auto& [blocking, printed] : {std::pair{"global", printed::global_smaller[size]},
                                            {"view", printed::view_smaller[size]}}) {
      const double bytes = blocked_bytes(*weights, blocking);
      table.compare({image, blocking, 1e-9 * bytes}, printed, csr / bytes, like_for_like,
                    Better::larger);
      context.add_summary_line(
          {"sizes", "memory of CSR over SCSR, " + image + ", blocking " + blocking, "x"}, printed,
          csr / bytes, like_for_like, Better::larger);
    }
  }
  result.tables.push_back(std::move(table));
}

}  // namespace

void sizes(MatrixStudyContext& context, StudyResult& result) {
  context.say("nonzeros of whole matrices");
  add_area_matrix_sizes(result, context.sizes());
  // Columns: image, views, format, nonzeros; printed, here, deviation.
  for (const auto& row : std::vector(result.tables.back().rows))
    if (row[2].words == "CSR")  // SCSR's is an eighth of this one
      context.add_summary_line({"sizes",
                                row[2].words + ", " + row[0].words + ", " +
                                    std::to_string(static_cast<int>(*row[1].number)) + " views",
                                "GB"},
                               row[4], row[5], like_for_like);
  add_ratios(context, result);
  add_estimated_footprints(context, bench_cases("near512,near1024,near2048"), "scsr", result);
  for (const std::string& backend : context.matrix_backends())
    add_built_footprints(context, backend, setting_of(context, backend, one_size(context)), result);
  result.notes.push_back(
      "Memory: CSR is counted with 8 bytes a nonzero and 8 a row. Formats that keep their "
      "transpose "
      "as well count both; their parts say so. The ratios of Fig. 16 are of the matrix alone, its "
      "padding included, estimated from some of the stored views; the estimates of all formats "
      "hold the vectors of a product as well, of SCSR eight images.");
}

}  // namespace gantry::cuart
