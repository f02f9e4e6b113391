// Memory of the matrix: Yu et al. 2019, Table 1 and Fig. 16.
#include "studies/cuart/parts.hpp"
#include "studies/cuart/printed.hpp"
#include "studies/format_footprints.hpp"
#include "studies/nonzeros.hpp"

namespace gantry::cuart {

namespace {

/// Returns the printed ratio for a blocking of SCSR; an empty cell for other methods.
StudyCell printed_ratio(const MatrixMethod& method, std::size_t size) {
  if (method.variant() == "blocking global") return printed::global_smaller[size];
  if (method.variant() == "blocking view") return printed::view_smaller[size];
  return {};
}

}  // namespace

void sizes(MatrixStudyContext& context, StudyResult& result) {
  context.say("nonzeros of whole matrices");
  add_area_matrix_sizes(result, context.sizes());
  // Columns: image, views, format, nonzeros; printed, here, deviation.
  for (const auto& row : std::vector(result.tables.back().rows))
    context.add_summary_line({"sizes",
                              row[2].words + ", " + row[0].words + ", " +
                                  std::to_string(static_cast<int>(*row[1].number)) + " views",
                              "GB"},
                             row[4], row[5], like_for_like);
  add_estimated_footprints(context, bench_cases("near512,near1024,near2048"), printed_ratio,
                           " (Fig. 16)", result);
  for (const std::string& backend : context.matrix_backends())
    add_built_footprints(context, backend, setting_of(context, backend, one_size(context)), result);
  result.notes.push_back(
      "Memory: CSR is counted with 8 bytes a nonzero and 8 a row. Formats of devices that keep "
      "their transpose as well count both; their parts say so. Estimates leave padding out.");
}

}  // namespace gantry::cuart
