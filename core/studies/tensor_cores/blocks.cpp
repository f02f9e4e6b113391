// Blocks that hold a nonzero, before and after reordering, and what they take: Nourazar and
// Goossens 2021, Tables 3 and 5.
#include "core/matrix/tile_pattern.hpp"
#include "core/projectors/stack.hpp"
#include "core/studies/tensor_cores/parts.hpp"

namespace gantry::tensor_cores {

namespace {

constexpr int stride = 13;  // of the groups of rays that are looked at

BlockCount count(const MatrixWorkshop& workshop, const BenchCase& setting, BlockOrderKind kind) {
  const auto weights = workshop.weights_on_cpu(setting);
  const auto slice = slice_of_stack(*weights);
  slice->set_interrupt(workshop.interrupt());
  return count_blocks(*slice, ray_order(slice->geometry(), kind), pixel_order(slice->grid(), kind),
                      stride);
}

}  // namespace

void blocks(MatrixWorkshop& workshop, StudyResult& result) {
  StudyTable share = StudyTable::comparing("table-3", "Blocks that hold a nonzero (Table 3)",
                                           {{"order", ""}, {"block", ""}, {"fill", "%"}}, "%");
  StudyTable size = StudyTable::comparing("table-5", "BSR of half precision (Table 5)",
                                          {{"pixels", ""}, {"block", ""}, {"order", ""}}, "GB");
  for (const printed::Size& printed : workshop.wanted_sizes(printed::sizes)) {
    const BenchCase setting = setting_of(printed.side, 1);
    const std::string pixels = std::to_string(printed.side) + "^2";
    for (const std::string& order : block_order_param().choices) {
      workshop.say("blocks of " + pixels + ", " + order);
      const BlockOrderKind kind = block_order_kind(order);
      const BlockCount found = count(workshop, setting, kind);
      for (std::size_t b = 0; b < printed::block_rays.size(); ++b) {
        const int rays = printed::block_rays[b];
        const std::string block = std::to_string(rays) + "x16";
        const bool reordered = kind == BlockOrderKind::pseudo_morton;
        if (printed.side == printed::sizes.back().side) {
          const StudyCell in_print = kind == BlockOrderKind::natural ? StudyCell(printed::before[b])
                                     : reordered                     ? StudyCell(printed::after[b])
                                                                     : StudyCell();
          share.compare({order, block, 100 * found.fill(rays)}, in_print,
                        100 * found.share_of_blocks(rays));
          workshop.sum_up({"blocks", order + ", " + block + ", " + pixels, "%"}, in_print,
                          100 * found.share_of_blocks(rays));
        }
        if (kind != BlockOrderKind::natural)
          size.compare({pixels, block, order}, reordered ? StudyCell(printed.gb[b]) : StudyCell(),
                       1e-9 * found.bsr_bytes(rays));
      }
    }
    workshop.show(result, size);
  }
  if (!share.rows.empty()) result.tables.push_back(std::move(share));
  result.tables.push_back(std::move(size));
}

}  // namespace gantry::tensor_cores
