// GPU-ICD with a stored matrix and without (section 7.5): a slice of 512 x 512 pixels in 90 views,
// the size at which a matrix fits, and how large the matrices of Table 2 would be.
#include "core/matrix/matrix_format.hpp"
#include "studies/cumbir/methods.hpp"
#include "studies/cumbir/parts.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

namespace gantry::cumbir {

namespace {

constexpr double longest_s = 10;
constexpr int side = 512, views = 90;

Scanned slice(const CumbirContext& context) {
  Scanned out{
      {"slice of the abdomen", "forbild_abdomen", side, side, 1, 0, side, 1, views}, {}, {}, {}};
  const auto phantom = context.catalog().phantoms.make("forbild_abdomen", "cpu", {});
  const Vec3 half = phantom->half_extent_mm();
  const double voxel = 2.02 * std::max(half.x, half.y) / side;
  ScanSpec spec;
  spec.beam = Beam::parallel;
  spec.detector_columns = side;
  spec.column_pitch_mm = voxel * 1.42;
  spec.row_pitch_mm = voxel;
  spec.central_column = 0.5 * (side - 1);
  for (int v = 0; v < views; ++v) spec.view_angles_rad.push_back(std::numbers::pi * v / views);
  out.setting =
      scaled({"slice of the abdomen", std::make_shared<const ScanGeometry>(std::move(spec)),
              VolumeGrid::centered(side, side, 1, {voxel, voxel, voxel})},
             context.scale());
  out.exact.resize(out.setting.geometry->rays());
  out.truth.resize(out.setting.grid.voxels());
  project_exactly(*phantom, *out.setting.geometry, 2, out.exact, context.interrupt());
  voxelise(*phantom, out.setting.grid, 4, out.truth, context.interrupt());
  return out;
}

}  // namespace

void stored(CumbirContext& context, StudyResult& result) {
  const Scanned scanned = slice(context);
  const NoisyData data = context.noisy(scanned, 1);
  std::vector<std::pair<Method, Run>> runs;
  double least = std::numeric_limits<double>::infinity();
  const auto add = [&](Method method) {
    method.iterations = std::max(method.iterations, 30);
    runs.emplace_back(method, run_method(context, scanned, data, method, longest_s));
    // Print compares at the level that super-voxel ICD reaches.
    if (method.is_rival()) least = std::min(least, runs.back().second.best());
  };
  for (const Method& method : all_methods()) {
    add(method);
    if (method.projector != "separable_footprint") continue;
    Method with_matrix = method;
    with_matrix.name += ", A stored";
    with_matrix.format = "csr";
    if (!context.catalog().matrix_formats.has("csr", context.device()))
      with_matrix.format = context.catalog().matrix_formats.on(context.device()).front()->key;
    add(with_matrix);
  }
  StudyTable table{"stored",
                   describe(scanned.setting.grid) + ", " +
                       std::to_string(scanned.setting.geometry->views()) +
                       " views: time to 1.05 x the least error of super-voxel ICD",
                   {{"method", ""},
                    {"building A", "s"},
                    {"set-up", "s"},
                    {"an iteration", "s"},
                    {"iterations", ""},
                    {"time, A not counted", "s"},
                    {"time, A counted", "s"},
                    {"least error", "1/mm"},
                    {"note", ""}},
                   {}};
  std::optional<double> fastest, with, without;
  for (const auto& [method, run] : runs) {
    const auto seconds = run.seconds_to(criterion * least);
    const auto iterations = run.iterations_to(criterion * least);
    const std::optional<double> counted =
        seconds ? std::optional(*seconds + run.build_s) : std::nullopt;
    table.rows.push_back(
        {method.name, run.build_s, run.setup_s,
         run.rmse.empty()
             ? StudyCell()
             : StudyCell((run.seconds.back() - run.setup_s) / static_cast<double>(run.rmse.size())),
         iterations ? StudyCell(static_cast<double>(*iterations)) : StudyCell("not reached"),
         seconds, counted, run.rmse.empty() ? StudyCell() : StudyCell(run.best()), run.problem});
    if (method.is_supervoxel_icd) {
      if (!method.format.empty()) {
        with = counted && (!with || *counted < *with) ? counted : with;
        without = seconds && (!without || *seconds < *without) ? seconds : without;
      }
    } else if (method.format.empty() && seconds && (!fastest || *seconds < *fastest)) {
      fastest = seconds;
    }
  }
  const auto over = [&](std::optional<double> rival) {
    return rival && fastest ? std::optional(*rival / *fastest) : std::nullopt;
  };
  context.summary.compare({"fastest method over super-voxel ICD with a stored matrix, slice, its "
                           "building counted",
                           "section 7.5"},
                          {}, over(with), like_for_like);
  context.summary.compare({"likewise, not counted", "section 7.5"}, {}, over(without),
                          like_for_like);
  result.tables.push_back(std::move(table));

  StudyTable sizes{"sizes",
                   "The stored matrix of each scan, separable footprints, 8 bytes a weight",
                   {{"phantom", ""}, {"weights", "billion"}, {"matrix", "GB"}},
                   {}};
  for (const printed::Scan& line : printed::table_2) {
    const Scanned scan_only{line, context.setting(line), {}, {}};
    const double weights =
        estimate_nonzeros(*context.make("separable_footprint", scan_only.setting)).nonzeros;
    sizes.rows.push_back({line.name, 1e-9 * weights, 8e-9 * weights});
  }
  result.tables.push_back(std::move(sizes));
}

}  // namespace gantry::cumbir
