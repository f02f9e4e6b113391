// The permutation of column indices (Yu et al. 2019, section 3.2): in which order a row of a dense
// sub-matrix has its nonzeros, so that threads with one row each write to different pixels at a
// time. Print rotates each row by one more and adds without protection, because it takes all
// threads of a GPU to run in step; threads of different warps never do. Counted are the writes
// within a warp that collide even if its 32 threads run in step, and on devices the products are
// timed with protected additions and without.
#include "core/geometry/symmetry.hpp"
#include "core/matrix/symmetric/column_permutation.hpp"
#include "studies/cuart/object.hpp"
#include "studies/cuart/parts.hpp"

#include <array>

namespace gantry::cuart {

namespace {

constexpr std::array<const char*, 2> blockings = {"global", "view"};

struct Order {
  const char *key, *name;
  bool of_print;
};
constexpr std::array<Order, 3> orders = {
    {{"none", "by pixel", false},
     {"shift", "each row rotated by one more", true},
     {"distinct", "different pixels in a warp where possible", false}}};

/// Returns how many of the writes of a warp meet another one of the same warp at a pixel, %.
double colliding_share(const Projector& weights, const std::string& blocking, const Order& order) {
  const ScanSymmetry symmetry(weights.geometry(), weights.grid());
  const auto blocks =
      make_scsr_blocks(weights, symmetry.stored_views(), blocking, parse_column_order(order.key));
  double writes = 0, colliding = 0;
  for (const DensePieces& all : blocks->pieces()) {
    colliding += static_cast<double>(colliding_writes(all));
    for (const DensePiece& piece : all.pieces) writes += piece.count;
  }
  return 100 * colliding / writes;
}

void count_collisions(MatrixStudyContext& context, StudyResult& result) {
  const BenchCase setting = setting_of(context, "cpu", one_size(context));
  const auto weights = context.weights_on_cpu(setting);
  StudyTable table =
      StudyTable::comparing("permutation",
                            "Writes of a warp's 32 rows that collide, were its threads in step, " +
                                describe_case(setting) + " (section 3.2)",
                            {{"blocking", ""}, {"nonzeros of a row", ""}}, "% of writes");
  const double scale = context.scale_on("cpu");
  const std::string unlike = scale != 1 ? another_size(scale) : like_for_like;
  for (const char* blocking : blockings)
    for (const Order& order : orders) {
      context.say(std::string("collisions, blocking ") + blocking + ", " + order.name);
      const double here = colliding_share(*weights, blocking, order);
      const StudyCell printed = order.of_print ? StudyCell::stated("never", 0) : StudyCell();
      table.compare({blocking, order.name}, printed, here, unlike, Better::smaller);
      context.add_summary_line(
          {"permutation",
           std::string("writes of a warp that collide, blocking ") + blocking + ", " + order.name,
           "%"},
          printed, here, unlike, Better::smaller);
    }
  result.tables.push_back(std::move(table));
}

/// Returns SCSR in each blocking and order, on devices with protected additions and without.
std::vector<MatrixMethod> permuted(const MatrixStudyContext& context, const std::string& backend) {
  std::vector<MatrixMethod> all;
  for (const char* blocking : blockings)
    for (const Order& order : orders) {
      MatrixMethod method = symmetric_format(context, backend);
      method.params.set("blocking", std::string(blocking));
      method.params.set("permutation", std::string(order.key));
      all.push_back(method);
      const auto format =
          context.catalog().matrix_formats.make(method.format, backend, method.params);
      if (!format->uses("transpose")) continue;
      all.back().params.set("transpose", std::string("atomics"));
      all.push_back(std::move(method));
      all.back().params.set("transpose", std::string("unsafe"));
    }
  return all;
}

void time_products(const MatrixStudyContext& context, const std::string& backend,
                   StudyResult& result) {
  const BenchCase setting = setting_of(context, backend, one_size(context));
  StudyTable table{"permutation-" + backend,
                   "Products by the order of the nonzeros on " + backend + ", " +
                       describe_case(setting) + " (section 3.2)",
                   {{"SCSR", ""}, {"W x", "ms"}, {"W^T y", "ms"}, {"both", "ms"}, {"caveat", ""}},
                   {}};
  for (const MatrixMethod& method : permuted(context, backend)) {
    context.say(backend + ", " + method.full_name());
    std::string problem;
    const auto times = context.time(method, setting, problem);
    if (!times) {
      table.rows.push_back({method.variant(), {}, {}, {}, problem});
      continue;
    }
    const auto format =
        context.catalog().matrix_formats.make(method.format, backend, method.params);
    table.rows.push_back({method.variant(), 1e3 * times->forward_s, 1e3 * times->backward_s,
                          1e3 * times->both_s(), format->caveat()});
    context.show(result, table);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace

void permutation(MatrixStudyContext& context, StudyResult& result) {
  count_collisions(context, result);
  for (const std::string& backend : context.matrix_backends())
    time_products(context, backend, result);
  result.notes.push_back(
      "Permutation of columns: print says that after it \"race condition will never happen\". A "
      "rotation lowers the collisions within a warp and does not end them, and threads of "
      "different warps are not in step at all: unprotected additions lose some of what they add, "
      "and their products are wrong. A device adds by atomics in every other row; the CPU "
      "restores the rows from the sub-matrices and gathers.");
}

}  // namespace gantry::cuart
