// The single kernel of cuART (Yu et al. 2019, Algorithm 2): the residuals of all rays and their
// backprojection, eq. 9, in one launch or one product after the other, over the dense sub-matrices
// of both blockings and without any.
#include "studies/cuart/object.hpp"
#include "studies/cuart/parts.hpp"
#include "studies/product_times.hpp"

#include <array>

namespace gantry::cuart {

namespace {

constexpr std::array<const char*, 3> blockings = {"global", "view", "none"};
constexpr std::array<const char*, 2> residuals = {"split", "fused"};

/// Returns the time of r = b - A x and A^T r for all rays, ms.
double milliseconds(const Projector& A) {
  Backend& backend = A.backend();
  const Array x = Array::filled(backend, A.domain_size(), 0.02F),
              b = Array::filled(backend, A.range_size(), 1);
  Array r(backend, A.range_size()), out(backend, A.domain_size());
  return 1e3 * median_seconds([&] {
           A.residual_adjoint(x, b, nullptr, r, out, A.all());
           backend.synchronize();
         });
}

}  // namespace

void launches(MatrixStudyContext& context, StudyResult& result) {
  for (const std::string& backend : context.matrix_backends()) {
    if (on_host(backend)) continue;
    const BenchCase setting = setting_of(context, backend, one_size(context));
    StudyTable table{"launches-" + backend,
                     "Residuals and their backprojection (eq. 9) on " + backend + ", " +
                         describe_case(setting) + " (Algorithm 2)",
                     {{"blocking", ""}, {"split", "ms"}, {"fused", "ms"}, {"problem", ""}},
                     {}};
    for (const char* blocking : blockings) {
      std::vector<StudyCell> row{blocking};
      std::string problem;
      for (const char* residual : residuals) {
        context.say(backend + ", blocking " + blocking + ", residual " + residual);
        MatrixMethod method = symmetric_format(context, backend);
        method.params.set("blocking", std::string(blocking));
        method.params.set("residual", std::string(residual));
        StudyCell cell;
        const std::string refused =
            why_refused([&] { cell = milliseconds(*context.make(method, setting)); });
        if (!refused.empty()) problem = refused;
        row.push_back(std::move(cell));
      }
      if (row[1].number && row[2].number)
        context.add_summary_line(
            {"launches",
             std::string("residuals and backprojection, split over fused, blocking ") + blocking +
                 ", " + describe_case(setting) + ", " + backend,
             "x"},
            {}, *row[1].number / *row[2].number, like_for_like, Better::larger);
      row.emplace_back(problem);
      table.rows.push_back(std::move(row));
      context.show(result, table);
    }
    result.tables.push_back(std::move(table));
  }
  result.notes.push_back(
      "Launches: print's kernel computes residual and update at once. A residual needs the whole "
      "row of its ray, which dense sub-matrices hold in two or three pieces: a thread block owns "
      "rays instead of dense rows and reads their pieces twice, the second time from the cache. "
      "Split are W x over dense rows, the residuals, and W^T r. The CPU has no launches.");
}

}  // namespace gantry::cuart
