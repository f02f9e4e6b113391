#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/metrics_options.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/series_options.hpp"
#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/base/text_stream.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/measurement.hpp"
#include "core/job/reference.hpp"
#include "core/metrics/contrast_to_noise.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>

namespace gantry::cli {

namespace {

struct CompareOptions {
  std::string a, b, mask = "all";
  RegionOptions regions;
  SeriesOptions series;  ///< of which only --uneven is offered
  double range = 0, mu_water = default_mu_water;
  bool json = false, hu = false;
};

double radius_of(const std::string& text, const VolumeGrid& grid) {
  double radius_mm = 0.5 * std::min(grid.nx * grid.spacing_mm.x, grid.ny * grid.spacing_mm.y);
  if (text == "circle") return radius_mm;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), radius_mm);
  if (error != std::errc{} || end != text.data() + text.size() || !(radius_mm > 0))
    throw UsageError("\"" + text + "\" is no mask", "--mask",
                     "write all, circle, roi or a radius in mm");
  return radius_mm;
}

/// Returns the mask for "all", "circle" (the largest in the grid), "roi", or a radius in mm.
std::vector<std::uint8_t> make_mask(const std::string& text, const std::optional<Region>& roi,
                                    const VolumeGrid& grid) {
  if (text == "all") return {};
  if (text == "roi" && !roi)
    throw UsageError("the mask is the region of interest, but there is none", "--mask",
                     "give --roi too");
  std::vector<std::uint8_t> mask =
      text == "roi" ? region_mask(grid, *roi) : circle_mask(grid, radius_of(text, grid));
  if (std::ranges::none_of(mask, [](std::uint8_t inside) { return inside != 0; })) {
    if (text == "roi")
      throw UsageError("the " + describe(*roi) + " holds no voxel of the grid", "--roi",
                       "move or enlarge it");
    throw UsageError("no voxel lies within " + text + " mm of the axis", "--mask",
                     "use a larger radius");
  }
  return mask;
}

/// Throws InputError if the voxel sizes differ. A different position only gives a note, because a
/// series that was moved onto the axis for a simulation is still the same image.
void require_same_voxels(const VolumeGrid& a, const VolumeGrid& b, const CompareOptions& o) {
  constexpr double tolerance = 1e-3;  // spacings are rounded in headers
  const auto close = [](double x, double y) { return std::abs(x - y) <= tolerance * y; };
  const bool same = close(a.spacing_mm.x, b.spacing_mm.x) && close(a.spacing_mm.y, b.spacing_mm.y);
  if (!same || (a.nz > 1 && !close(a.spacing_mm.z, b.spacing_mm.z)))
    throw InputError("voxel sizes differ: " + describe(a) + " and " + describe(b), o.a + ", " + o.b,
                     "compare volumes of one grid");
  const Vec3 shift = a.center_mm() - b.center_mm();
  if (norm(shift) > tolerance * norm(b.spacing_mm))
    print_notes({"the volumes lie " + format_param(std::round(1e3 * norm(shift)) / 1e3) +
                 " mm apart; they are compared voxel by voxel"});
}

/// Loads a volume and prints the notes of its reader, with the name of the file, and the
/// attenuation of water by which its HU were converted.
LoadedVolume load(const std::string& path, const CompareOptions& o) {
  LoadedVolume volume = load_volume(path, {o.hu, o.mu_water, {}, o.series.uneven_slices()});
  print_notes_of(path, volume.notes);
  if (volume.from_hu && !o.json)
    std::printf("%s: from HU with water at %.6g 1/mm\n", path.c_str(), volume.mu_water);
  return volume;
}

/// Loads the reference, which must have the grid of `a`; empty if none was given.
LoadedVolume load_reference(const CompareOptions& o, const LoadedVolume& a) {
  if (o.b.empty()) return {};
  LoadedVolume b = load(o.b, o);
  if (a.grid.nx != b.grid.nx || a.grid.ny != b.grid.ny || a.grid.nz != b.grid.nz)
    throw InputError("grids differ: " + describe(a.grid) + " and " + describe(b.grid),
                     o.a + ", " + o.b, "compare volumes of one grid");
  require_same_voxels(a.grid, b.grid, o);
  return b;
}

std::string number_text(double value, const std::string& unit) {
  TextStream text;
  text.precision(9);
  text << value << (unit.empty() ? "" : " ") << unit;
  return text.str();
}

/// Returns the value, with the problem in brackets if there is one; the problem alone if there is
/// no value.
std::string value_text(const MeasuredMetric& metric) {
  const auto& [value, problem] = metric.value;
  if (std::isnan(value)) return problem;
  return number_text(value, metric.unit) + (problem.empty() ? "" : " (" + problem + ")");
}

/// Adds a remark about the voxels left out to each metric that compares with the reference.
void say_left_out(std::size_t count, std::vector<MeasuredMetric>& metrics) {
  for (MeasuredMetric& metric : metrics)
    if (metric.needs == MetricNeeds::reference) {
      std::string& problem = metric.value.problem;
      problem += (problem.empty() ? "" : "; ") + without_unknown(count);
    }
}

struct NamedRegion {
  std::string name;
  RegionStatistics statistics;
};

std::vector<NamedRegion> measure_regions(const MeasurementRegions& regions, const LoadedVolume& a) {
  std::vector<NamedRegion> all;
  if (regions.roi) all.push_back({"roi", region_statistics(a.grid, a.mu, *regions.roi)});
  if (regions.background)
    all.push_back({"background", region_statistics(a.grid, a.mu, *regions.background)});
  return all;
}

void print_json(const CompareOptions& o, double range, double mu_water,
                const std::vector<MeasuredMetric>& metrics, const std::vector<NamedRegion>& regions,
                std::size_t left_out) {
  nlohmann::ordered_json report = {{"a", o.a}};
  if (!o.b.empty()) report.update({{"b", o.b}, {"mask", o.mask}, {"range", range}});
  if (left_out > 0) report["voxels_left_out"] = left_out;
  report["mu_water"] = mu_water;
  for (const MeasuredMetric& metric : metrics) report[metric.key] = metric.value.value;
  auto problems = nlohmann::ordered_json::object(), measured = nlohmann::ordered_json::object();
  for (const MeasuredMetric& metric : metrics)
    if (!metric.value.problem.empty()) problems[metric.key] = metric.value.problem;
  for (const auto& [name, region] : regions)
    measured[name] = {
        {"voxels", region.voxels}, {"mean", region.mean}, {"deviation", region.deviation}};
  if (!problems.empty()) report["problems"] = problems;
  if (!measured.empty()) report["regions"] = measured;
  std::cout << report.dump(2) << '\n';
}

void print_text(const CompareOptions& o, const VolumeGrid& grid, double range, double mu_water,
                const std::vector<MeasuredMetric>& metrics,
                const std::vector<NamedRegion>& regions) {
  if (o.b.empty())
    std::printf("%s, %s\n", o.a.c_str(), describe(grid).c_str());
  else
    std::printf("%s against %s, %s, mask %s, range %.6g 1/mm\n", o.a.c_str(), o.b.c_str(),
                describe(grid).c_str(), o.mask.c_str(), range);
  for (const MeasuredMetric& metric : metrics)
    std::printf("%-24s %s\n", metric.label.c_str(), value_text(metric).c_str());
  for (const auto& [name, region] : regions)
    std::printf("%-24s %zu voxels, mean %.6g, deviation %.6g 1/mm (%.5g, %.5g HU, water %.6g)\n",
                name.c_str(), region.voxels, region.mean, region.deviation,
                hu_from_mu(region.mean, mu_water), 1000 * region.deviation / mu_water, mu_water);
}

int compare(const CompareOptions& o, const Catalog& catalog) {
  const MeasurementRegions regions = o.regions.regions();
  if (o.b.empty() && !regions.roi && !regions.edge)
    throw UsageError("there is nothing to measure", "compare",
                     "give a reference B, --roi and --background, or --edge");
  LoadedVolume a = load(o.a, o), b = load_reference(o, a);
  std::vector<std::uint8_t> mask = make_mask(o.mask, regions.roi, a.grid), known_in_b;
  std::size_t left_out = exclude_unknown(a.unknown, a.mu, mask);
  if (!o.b.empty()) left_out += exclude_unknown(b.unknown, b.mu, mask);
  exclude_unknown(b.unknown, b.mu, known_in_b);
  const double range = o.range > 0 ? o.range : range_of(b.mu, known_in_b);
  const ImagePair pair{a.grid, a.mu, b.mu, mask, range, &regions};
  std::vector<MeasuredMetric> metrics = measure(catalog, pair);
  if (left_out > 0) say_left_out(left_out, metrics);
  const std::vector<NamedRegion> measured = measure_regions(regions, a);
  // A file that states the attenuation of water means its HU by that one.
  if (o.json)
    print_json(o, range, a.mu_water, metrics, measured, left_out);
  else
    print_text(o, a.grid, range, a.mu_water, metrics, measured);
  return 0;
}

}  // namespace

Command add_compare(CLI::App& app, Program& program) {
  auto o = std::make_shared<CompareOptions>();
  CLI::App* sub =
      app.add_subcommand("compare", "Measure volume A, against reference B or in regions");
  sub->add_option("A", o->a, "volume file or DICOM folder")
      ->type_name("VOLUME")
      ->required()
      ->check(not_empty());
  sub->add_option("B", o->b, "reference on the same grid; not needed for --background and --edge")
      ->type_name("VOLUME")
      ->check(not_empty());
  sub->add_option("--range", o->range,
                  "range L of values for PSNR and SSIM (default: max - min of B)")
      ->type_name("1/MM")
      ->check(positive());
  sub->add_option("--mask", o->mask,
                  "where A and B are compared: all, circle, roi, or a radius in mm")
      ->type_name("MASK")
      ->capture_default_str();
  o->regions.add_to(*sub);
  o->series.add_uneven_to(*sub);
  sub->add_flag("--hu", o->hu, "values of volume files are HU, not 1/mm");
  add_mu_water_of_volumes(*sub, o->mu_water);
  sub->add_flag("--json", o->json, "print JSON");
  sub->footer(
      "Example:\n  gantry-cli compare result.mha truth.mha --mask circle\n"
      "  gantry-cli compare result.mha --roi 40,0,8 --background 0,0,15 --edge 20,0,44,0");
  return {sub, [o, &program] { return compare(*o, program.catalog); }, false};
}

}  // namespace gantry::cli
