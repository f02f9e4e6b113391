// Nonzeros along the rays of single views (Yu et al. 2019, Fig. 6), and where these profiles bend.
// Computed at full size always, because it takes only a few thousand matrix rows.
#include "core/matrix/symmetric/scsr_blocks.hpp"
#include "studies/cuart/parts.hpp"
#include "studies/cuart/printed.hpp"

namespace gantry::cuart {

namespace {

std::vector<double> nonzeros_of_view(const Projector& weights, int view) {
  const auto rows = weights.row_source()->view_rows(view);
  std::vector<double> nonzeros;
  RowWeights row;
  for (int c = 0; c < weights.geometry().columns(); ++c) {
    rows->weights(c, 0, row);
    nonzeros.push_back(static_cast<double>(row.size()));
  }
  return nonzeros;
}

/// Returns the view of the first eighth in which a ramp of the profile is shortest: there two
/// corners of the image lie on one ray.
int border_view(const BenchCase& setting) {
  int border = 0;
  std::size_t least = 0;
  for (int view = 0; view < setting.geometry->views() / 8; ++view) {
    const ProfileRamps ramps = profile_ramps(*setting.geometry, setting.grid, view);
    const std::size_t shorter = std::min(ramps.left, ramps.right);
    if (view == 0 || shorter < least) {
      border = view;
      least = shorter;
    }
  }
  return border;
}

}  // namespace

BenchCase on_axis() {
  BenchCase setting = bench_cases("near1024").front();
  ScanSpec spec = setting.geometry->spec();
  const double first = spec.view_angles_rad.front();
  for (double& angle : spec.view_angles_rad) angle -= first;
  setting.geometry = std::make_shared<const ScanGeometry>(spec);
  return setting;
}

void profiles(MatrixStudyContext& context, StudyResult& result) {
  context.say("nonzeros along the rays of six views");
  const BenchCase setting = on_axis();
  const auto weights = context.weights_on_cpu(setting);
  StudyTable table{"profiles",
                   "Nonzeros a ray, " + describe_case(setting) + " (Fig. 6)",
                   {{"view", ""},
                    {"angle", "deg"},
                    {"fewest", ""},
                    {"most", ""},
                    {"mean", ""},
                    {"first ramp", "rays"},
                    {"last ramp", "rays"}},
                   {}};
  StudyChart chart{"profiles", table.title, "ray", "nonzeros", false, false, {}};
  double fewest = 1e300;
  for (const int view : printed::profile_views) {
    context.check_interrupt();
    const std::vector<double> nonzeros = nonzeros_of_view(*weights, view);
    double sum = 0;
    StudyCurve curve{"view " + std::to_string(view), {}, nonzeros};
    for (std::size_t r = 0; r < nonzeros.size(); ++r) {
      sum += nonzeros[r];
      curve.x.push_back(static_cast<double>(r));
    }
    chart.curves.push_back(std::move(curve));
    const auto [least, most] = std::ranges::minmax(nonzeros);
    fewest = std::min(fewest, least);
    const ProfileRamps ramps = profile_ramps(*setting.geometry, setting.grid, view);
    table.rows.push_back({1.0 * view, degrees(setting.geometry->angle_rad(view)), least, most,
                          sum / static_cast<double>(nonzeros.size()),
                          static_cast<double>(ramps.left), static_cast<double>(ramps.right)});
  }
  context.add_summary_line({"profiles", "fewest nonzeros of a ray, six views", ""},
                           StudyCell::of_fitted_scan(printed::smallest_row), fewest, like_for_like);
  context.add_summary_line({"profiles", "most nonzeros of a ray, view 0", ""},
                           StudyCell::of_fitted_scan(printed::largest_row_first),
                           table.rows.front()[3], like_for_like);
  context.add_summary_line({"profiles", "most nonzeros of a ray, view 89", ""},
                           StudyCell::of_fitted_scan(printed::largest_row_last),
                           table.rows.back()[3], like_for_like);
  context.add_summary_line({"profiles", "border view, whose shorter ramp is shortest", ""},
                           StudyCell::of_fitted_scan(1.0 * printed::border_view),
                           1.0 * border_view(setting), like_for_like);
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
  result.notes.push_back(
      "Fig. 6: the first view is on the axis here, and the source at the distance that gives "
      "print's "
      "border view 5; half a step off, as in the other parts, the border view is 4.");
}

}  // namespace gantry::cuart
