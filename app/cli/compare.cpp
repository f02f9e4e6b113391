#include <cstdio>
#include <iostream>
#include <memory>

#include <nlohmann/json.hpp>

#include "app/cli/commands.hpp"
#include "core/base/error.hpp"
#include "core/io/volume_file.hpp"
#include "core/metrics/metric.hpp"

namespace gantry::cli {

namespace {

struct Options {
  std::string a, b, mask = "all";
  double range = 0, mu_water = default_mu_water;
  bool json = false, hu = false;
};

/// "all", "circle" (the largest in the grid), or a radius in mm.
std::vector<std::uint8_t> make_mask(const std::string& text, const VolumeGrid& grid) {
  if (text == "all") return {};
  if (text == "circle") return circle_mask(grid, 0.5 * std::min(grid.nx * grid.spacing_mm.x, grid.ny * grid.spacing_mm.y));
  try {
    std::size_t end = 0;
    const double radius_mm = std::stod(text, &end);
    if (end == text.size() && radius_mm > 0) return circle_mask(grid, radius_mm);
  } catch (const std::exception&) {
    // falls through to the one message
  }
  throw UsageError("\"" + text + "\" is no mask", "--mask", "write all, circle or a radius in mm");
}

int compare(const Options& o, const Catalog& catalog) {
  const VolumeReadOptions read{o.hu, o.mu_water, {}};
  const LoadedVolume a = load_volume(o.a, read), b = load_volume(o.b, read);
  if (a.grid.nx != b.grid.nx || a.grid.ny != b.grid.ny || a.grid.nz != b.grid.nz)
    throw InputError("grids differ: " + describe(a.grid) + " and " + describe(b.grid), o.a + ", " + o.b, "compare volumes of one grid");
  const std::vector<std::uint8_t> mask = make_mask(o.mask, a.grid);
  const double range = o.range > 0 ? o.range : range_of(b.mu);
  const ImagePair pair{b.grid, a.mu, b.mu, mask, range};
  nlohmann::ordered_json report = {{"a", o.a}, {"b", o.b}, {"mask", o.mask}, {"range", range}};
  for (const auto& entry : catalog.metrics.entries()) report[entry.key] = entry.make({})->evaluate(pair);
  if (o.json) {
    std::cout << report.dump(2) << '\n';
    return 0;
  }
  std::printf("%s against %s, %s, mask %s, range %.6g 1/mm\n", o.a.c_str(), o.b.c_str(), describe(a.grid).c_str(), o.mask.c_str(), range);
  for (const auto& entry : catalog.metrics.entries())
    std::printf("%-24s %.9g %s\n", entry.label.c_str(), entry.make({})->evaluate(pair), entry.make({})->unit().c_str());
  return 0;
}

}  // namespace

Command add_compare(CLI::App& app, Program& program) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("compare", "Measure volume A against reference B");
  sub->add_option("A", o->a, "volume")->required();
  sub->add_option("B", o->b, "reference")->required();
  sub->add_option("--range", o->range, "dynamic range L of PSNR and SSIM in 1/mm (default: max - min of B)")->check(CLI::PositiveNumber);
  sub->add_option("--mask", o->mask, "all, circle, or a radius in mm")->capture_default_str();
  sub->add_flag("--hu", o->hu, "values of the files are HU, not 1/mm");
  sub->add_option("--mu-water", o->mu_water, "1/mm, turns HU into attenuation")->capture_default_str()->check(CLI::PositiveNumber);
  sub->add_flag("--json", o->json, "print JSON");
  return {sub, [o, &program] { return compare(*o, program.catalog); }};
}

}  // namespace gantry::cli
