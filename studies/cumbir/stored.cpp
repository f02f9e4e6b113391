// GPU-ICD with a stored matrix and without (section 7.5): a slice of 512 x 512 pixels in 90 views,
// those scans of Table 2 whose matrix fits into the memory of the GPU, and how large the matrices
// are.
#include "core/matrix/matrix_format.hpp"
#include "studies/cumbir/methods.hpp"
#include "studies/cumbir/parts.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

namespace gantry::cumbir {

namespace {

constexpr double longest_s = 12;
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

/// A method with its matrix stored.
Method with_matrix(const CumbirContext& context, Method method) {
  method.name += ", A stored";
  method.format = "csr";
  if (!context.catalog().matrix_formats.has("csr", context.device()))
    method.format = context.catalog().matrix_formats.on(context.device()).front()->key;
  return method;
}

/// Returns all methods, each with separable footprints followed by the same with a stored matrix.
std::vector<Method> methods_of_slice(const CumbirContext& context) {
  std::vector<Method> methods;
  for (const Method& method : all_methods()) {
    methods.push_back(method);
    if (method.projector == "separable_footprint") methods.push_back(with_matrix(context, method));
  }
  return methods;
}

/// Returns the methods for a scan of Table 2: super-voxel ICD without and then with a stored
/// matrix, where the matrix and its transpose fit into the device's memory, and the fast methods
/// that store none; none if no matrix fits.
std::vector<Method> methods_of_scan(const CumbirContext& context, const Scanned& scanned) {
  constexpr double bytes_per_weight = 16,  // of the matrix and of its transpose
      most_weights = 4294967296;           // of a matrix that can be transposed on the device
  const auto fits = [&](const Method& method) {
    const double weights =
        estimate_nonzeros(*context.make(method.projector, scanned.setting)).nonzeros;
    return weights < most_weights &&
           bytes_per_weight * weights < 0.9 * static_cast<double>(context.backend().free_bytes());
  };
  std::vector<Method> methods;
  for (const Method& method : all_methods())
    if (method.is_rival() && fits(method)) {
      methods.push_back(method);
      methods.push_back(with_matrix(context, method));
    }
  if (methods.empty()) return {};
  for (const Method& method : all_methods())
    if (!method.prior.empty() && method.projector == "distance_driven") methods.push_back(method);
  return methods;
}

/// How long a run takes to a level of error. What the set-up of a method with a stored matrix takes
/// beyond that of the same method without, the storing of columns, belongs to the building.
struct Times {
  bool is_stored;
  double set_up, building;
  std::optional<double> counted, not_counted;  ///< the building

  /// `usual`: the run of the same method without a stored matrix, for a method with one.
  Times(const Method& method, const Run& run, const Run* usual, double level)
      : is_stored(!method.format.empty()),
        set_up(is_stored ? std::min(run.setup_s, usual->setup_s) : run.setup_s),
        building(run.build_s + run.setup_s - set_up) {
    const std::optional<double> seconds = run.seconds_to(level);
    if (!seconds) return;
    counted = *seconds + run.build_s;
    not_counted = *counted - building;
  }
};

std::vector<StudyCell> row_of(const Scanned& scanned, const Method& method, const Run& run,
                              const Times& times, double level) {
  const auto iterations = run.iterations_to(level);
  StudyCell an_iteration, least_error;
  if (!run.rmse.empty()) {
    an_iteration = (run.seconds.back() - run.setup_s) / static_cast<double>(run.rmse.size());
    least_error = run.best();
  }
  return {scanned.setting.name,
          method.name,
          times.building,
          times.set_up,
          an_iteration,
          iterations ? StudyCell(static_cast<double>(*iterations)) : StudyCell("not reached"),
          times.not_counted,
          times.counted,
          least_error,
          run.problem};
}

/// How many times as long as the fastest method without a stored matrix super-voxel ICD with a
/// stored one takes.
struct Ratios {
  std::optional<double> counted, not_counted;  ///< the building of A
};

Ratios compare(const CumbirContext& context, const Scanned& scanned,
               const std::vector<Method>& methods, StudyTable& table) {
  const NoisyData data = context.noisy(scanned, 1);
  std::vector<Run> runs;
  double least = std::numeric_limits<double>::infinity();
  for (Method method : methods) {
    method.iterations = std::max(method.iterations, 30);
    runs.push_back(run_method(context, scanned, data, method, longest_s));
    // Print compares at the level that super-voxel ICD reaches.
    if (method.is_rival()) least = std::min(least, runs.back().best());
  }
  std::optional<double> fastest, counted, not_counted;
  const auto take = [](std::optional<double>& so_far, std::optional<double> other) {
    if (other && (!so_far || *other < *so_far)) so_far = other;
  };
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const Times times(methods[m], runs[m], m > 0 ? &runs[m - 1] : nullptr, criterion * least);
    table.rows.push_back(row_of(scanned, methods[m], runs[m], times, criterion * least));
    if (!methods[m].is_supervoxel_icd && !times.is_stored) take(fastest, times.counted);
    if (!methods[m].is_supervoxel_icd || !times.is_stored) continue;
    take(counted, times.counted);
    take(not_counted, times.not_counted);
  }
  const auto over = [&](std::optional<double> rival) {
    return rival && fastest ? std::optional(*rival / *fastest) : std::nullopt;
  };
  return {over(counted), over(not_counted)};
}

}  // namespace

void stored(CumbirContext& context, StudyResult& result) {
  StudyTable table{"stored",
                   "Super-voxel ICD with a stored matrix: time to 1.05 x its least error. The "
                   "storing of columns counts as building A",
                   {{"scan", ""},
                    {"method", ""},
                    {"building A", "s"},
                    {"set-up", "s"},
                    {"an iteration", "s"},
                    {"iterations", ""},
                    {"time, A not counted", "s"},
                    {"time, A counted", "s"},
                    {"least error", "1/mm"},
                    {"note", ""}},
                   {}};
  const auto add = [&](const Scanned& scanned, const std::vector<Method>& methods) {
    const Ratios ratios = compare(context, scanned, methods, table);
    context.summary.compare({"fastest method over super-voxel ICD with a stored matrix, " +
                                 scanned.setting.name + ", its building counted",
                             "section 7.5"},
                            {}, ratios.counted, like_for_like);
    context.summary.compare({"likewise, not counted", "section 7.5"}, {}, ratios.not_counted,
                            like_for_like);
    context.show(result, table);
  };
  add(slice(context), methods_of_slice(context));
  StudyTable sizes{"sizes",
                   "The stored matrix of each scan, 8 bytes a weight",
                   {{"phantom", ""}, {"separable footprints", "GB"}, {"Siddon", "GB"}},
                   {}};
  for (const printed::Scan& line : printed::table_2) {
    Scanned scanned{line, context.setting(line), {}, {}};
    const auto gigabytes = [&](const char* projector) {
      return 8e-9 * estimate_nonzeros(*context.make(projector, scanned.setting)).nonzeros;
    };
    sizes.rows.push_back({line.name, gigabytes("separable_footprint"), gigabytes("siddon")});
    if (!context.has_gpu()) continue;  // there, the slice tells what a stored matrix brings
    if (const std::vector<Method> methods = methods_of_scan(context, scanned); !methods.empty())
      add(context.scan(line), methods);
  }
  result.tables.push_back(std::move(table));
  result.tables.push_back(std::move(sizes));
}

}  // namespace gantry::cumbir
