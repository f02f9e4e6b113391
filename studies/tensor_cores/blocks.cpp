// Blocks that hold a nonzero before and after reordering, and their memory: Nourazar and Goossens
// 2021, Tables 3 and 5. The paper's weights are distance-driven, and its fractions of blocks with
// nonzeros are those of a field of view of 1.26 image sides. But its numbers of nonzeros are
// proportional to the side of the image, unlike numbers of overlaps (n pixels of a line and 512
// cells have at most n + 511 overlaps). Two pixels in each line of the image are proportional to
// it: linear interpolation, which is Joseph's method.
#include "core/matrix/tiles/tile_pattern.hpp"
#include "core/operator/row_source.hpp"
#include "core/operator/slice_stack.hpp"
#include "studies/tensor_cores/parts.hpp"

namespace gantry::tensor_cores {

namespace {

constexpr int stride = 13;  // one in `stride` groups of rays is counted

/// A projector, and the field of view, in image sides, with which its numbers come nearest to
/// print.
struct Weighting {
  std::string projector, name;
  double field;
  bool of_paper;
};
const std::array<Weighting, 2> weightings = {
    {{"distance_driven", "distance-driven", 1.26, true}, {"joseph", "Joseph", 1.047, false}}};

BlockCount count(const MatrixStudyContext& context, const Weighting& weighting, int side,
                 BlockOrderKind kind) {
  const auto weights = context.make({"cpu", weighting.projector, {}},
                                    setting_of(side, 1, printed::images, weighting.field));
  const auto slice = slice_of_stack(*weights);
  return count_blocks(*slice, ray_order(slice->geometry(), kind), pixel_order(slice->grid(), kind),
                      stride);
}

/// Returns where a section of `size` positions begins that holds the position of an index, at a
/// multiple of `size`.
int section_with(const BlockOrder& order, int index, int size) {
  return order.position[static_cast<std::size_t>(index)] / size * size;
}

/// Returns the nonzeros of a section of the matrix: 1 where a weight is not zero, the first ray at
/// the top (Fig. 6). The section holds the middle pixel and the ray through it at a twelfth of the
/// views; print shows "a random section".
StudyImage section_of(const Projector& slice, BlockOrderKind kind, const std::string& about) {
  constexpr int size = 256;
  const ScanGeometry& scan = slice.geometry();
  const VolumeGrid& grid = slice.grid();
  const BlockOrder rays = ray_order(scan, kind), pixels = pixel_order(grid, kind);
  const int first_ray =
                section_with(rays, scan.views() / 12 * scan.columns() + scan.columns() / 2, size),
            first_pixel = section_with(
                pixels, static_cast<int>(grid.index(grid.nx / 2, grid.ny / 2, 0)), size);
  StudyImage image{.key = "fig-6-" + std::to_string(static_cast<int>(kind)),
                   .title = "Nonzeros" + about + " (Fig. 6)",
                   .width = size,
                   .height = size,
                   .values = std::vector<float>(std::size_t{size} * size, 0.0F)};
  for (int r = 0; r < size && first_ray + r < static_cast<int>(rays.at.size()); ++r) {
    const int ray = rays.at[static_cast<std::size_t>(first_ray + r)];
    if (ray < 0) continue;
    RowWeights weights;
    slice.row_source()->view_rows(ray / scan.columns())->weights(ray % scan.columns(), 0, weights);
    for (const std::size_t pixel : weights.voxel) {
      const int at = pixels.position[pixel] - first_pixel;
      if (at >= 0 && at < size)
        image.values[static_cast<std::size_t>((size - 1 - r) * size + at)] = 1;
    }
  }
  return image;
}

/// Draws the section in print's two orders.
void draw_sections(const MatrixStudyContext& context, const Weighting& weighting, int side,
                   StudyResult& result) {
  const auto weights = context.make({"cpu", weighting.projector, {}},
                                    setting_of(side, 1, printed::images, weighting.field));
  const auto slice = slice_of_stack(*weights);
  const std::string about = ", " + weighting.name + ", " + std::to_string(side) + "^2";
  result.images.push_back(
      section_of(*slice, BlockOrderKind::natural, about + ", 256 rays and pixels, natural order"));
  result.images.push_back(section_of(*slice, BlockOrderKind::pseudo_morton,
                                     about + ", 256 rays and pixels, pseudo-Morton order"));
}

/// Returns Table 1, the fragments of WMMA, with the blocks of the matrix that are the tiles of A.
StudyTable fragments() {
  StudyTable table{"table-1",
                   "Fragments of WMMA in half precision, as printed, and the blocks here (Table 1)",
                   {{"fragment", ""},
                    {"tile of A", ""},
                    {"tile of B", ""},
                    {"tile of C", ""},
                    {"block of the matrix here", ""}},
                   {}};
  const std::vector<std::string>& blocks = block_size_param().choices;
  for (const printed::Fragment& one : printed::fragments) {
    const bool is_block = std::ranges::find(blocks, std::string(one.a)) != blocks.end();
    table.rows.push_back({one.name, one.a, one.b, one.c, is_block ? one.a : "not in this program"});
  }
  return table;
}

/// Adds how many blocks the whole matrix has, empty ones included, which order and weights do not
/// change: the second row of Table 3.
void add_block_counts(MatrixStudyContext& context, const BlockCount& found,
                      const std::string& pixels, StudyTable& counts) {
  for (std::size_t b = 0; b < printed::block_rays.size(); ++b) {
    const int rays = printed::block_rays[b];
    const std::string block = std::to_string(rays) + "x16";
    const double here = 1e-6 * found.rows * found.patches / rays;
    counts.compare({pixels, block}, printed::block_counts_1e6[b], here, like_for_like);
    context.add_summary_line({"blocks", "blocks of the matrix, " + block + ", " + pixels, "10^6"},
                             printed::block_counts_1e6[b], here, like_for_like);
  }
}

}  // namespace

void blocks(MatrixStudyContext& context, StudyResult& result) {
  const std::string counted =
      ", counted in one of " + std::to_string(stride) + " groups of 32 rays and scaled";
  StudyTable share =
      StudyTable::comparing("table-3", "Blocks that hold a nonzero (Table 3)" + counted,
                            {{"weights", ""}, {"order", ""}, {"block", ""}, {"fill", "%"}}, "%");
  StudyTable counts =
      StudyTable::comparing("table-3-counts", "Blocks of the matrix, empty ones included (Table 3)",
                            {{"pixels", ""}, {"block", ""}}, "10^6");
  StudyTable size = StudyTable::comparing_misprints(
      "table-5", "BSR of half precision (Table 5)" + counted,
      {{"pixels", ""}, {"weights", ""}, {"block", ""}, {"order", ""}}, "GB", "GB");
  const auto sizes = context.wanted_sizes(printed::sizes);
  if (!sizes.empty()) draw_sections(context, weightings.front(), sizes.back().side, result);
  for (const printed::Size& printed : sizes) {
    const std::string pixels = std::to_string(printed.side) + "^2";
    for (const Weighting& weighting : weightings) {
      for (const std::string& order : block_order_param().choices) {
        context.say("blocks of " + pixels + ", " + weighting.name + ", " + order);
        const BlockOrderKind kind = block_order_kind(order);
        const BlockCount found = count(context, weighting, printed.side, kind);
        if (printed.side == printed::sizes.back().side && counts.rows.empty())
          add_block_counts(context, found, pixels, counts);
        for (std::size_t b = 0; b < printed::block_rays.size(); ++b) {
          const int rays = printed::block_rays[b];
          const std::string block = std::to_string(rays) + "x16";
          const bool reordered = kind == BlockOrderKind::pseudo_morton;
          if (printed.side == printed::sizes.back().side) {
            const StudyCell printed_values =
                kind == BlockOrderKind::natural ? StudyCell::of_fitted_scan(printed::before[b])
                : reordered                     ? StudyCell::of_fitted_scan(printed::after[b])
                                                : StudyCell();
            share.compare({weighting.name, order, block, 100 * found.fill(rays)}, printed_values,
                          100 * found.fraction_of_blocks(rays), like_for_like);
            if (weighting.of_paper)
              context.add_summary_line({"blocks", order + ", " + block + ", " + pixels, "%"},
                                       printed_values, 100 * found.fraction_of_blocks(rays),
                                       like_for_like);
          }
          const double gb = 1e-9 * found.bsr_bytes(rays);
          if (kind != BlockOrderKind::natural)
            size.compare({pixels, weighting.name, block, order},
                         reordered ? StudyCell::of_fitted_scan(printed.gb[b]) : StudyCell(), gb,
                         like_for_like);
          if (reordered && weighting.of_paper)
            context.add_summary_line({"blocks", "BSR, " + block + ", " + pixels, "GB"},
                                     StudyCell::of_fitted_scan(printed.gb[b]), gb, like_for_like);
        }
      }
    }
    context.show(result, size);
  }
  result.tables.push_back(fragments());
  for (StudyTable* of_largest : {&counts, &share})
    if (!of_largest->rows.empty()) result.tables.push_back(std::move(*of_largest));
  result.tables.push_back(std::move(size));
}

}  // namespace gantry::tensor_cores
