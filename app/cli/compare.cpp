#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_report.hpp"
#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/volume_file.hpp"
#include "core/metrics/metric.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>

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
  double radius_mm = 0.5 * std::min(grid.nx * grid.spacing_mm.x, grid.ny * grid.spacing_mm.y);
  if (text != "circle") {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), radius_mm);
    if (error != std::errc{} || end != text.data() + text.size() || !(radius_mm > 0))
      throw UsageError("\"" + text + "\" is no mask", "--mask",
                       "write all, circle or a radius in mm");
  }
  std::vector<std::uint8_t> mask = circle_mask(grid, radius_mm);
  if (std::ranges::none_of(mask, [](std::uint8_t inside) { return inside != 0; }))
    throw UsageError("no voxel lies within " + text + " mm of the axis", "--mask",
                     "use a larger radius");
  return mask;
}

/// Voxels of other sizes cannot be compared; a shift is said and otherwise left out: a series that
/// was moved onto the axis for a simulation is still the same image.
void require_same_voxels(const VolumeGrid& a, const VolumeGrid& b, const Options& o) {
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

/// Not every metric is defined on every image: SSIM needs 11 x 11 pixels, PSNR a range.
std::string value_text(double value, const std::string& unit) {
  if (std::isnan(value)) return "not defined for these images";
  std::ostringstream text;
  text.precision(9);
  text << value << (unit.empty() ? "" : " ") << unit;
  return text.str();
}

int compare(const Options& o, const Catalog& catalog) {
  const VolumeReadOptions read{o.hu, o.mu_water, {}};
  const LoadedVolume a = load_volume(o.a, read), b = load_volume(o.b, read);
  if (a.grid.nx != b.grid.nx || a.grid.ny != b.grid.ny || a.grid.nz != b.grid.nz)
    throw InputError("grids differ: " + describe(a.grid) + " and " + describe(b.grid),
                     o.a + ", " + o.b, "compare volumes of one grid");
  require_same_voxels(a.grid, b.grid, o);
  const std::vector<std::uint8_t> mask = make_mask(o.mask, a.grid);
  const double range = o.range > 0 ? o.range : range_of(b.mu);
  const ImagePair pair{b.grid, a.mu, b.mu, mask, range};
  nlohmann::ordered_json report = {{"a", o.a}, {"b", o.b}, {"mask", o.mask}, {"range", range}};
  for (const auto& entry : catalog.metrics.entries())
    report[entry.key] = entry.make({})->evaluate(pair);
  if (o.json) {
    std::cout << report.dump(2) << '\n';
    return 0;
  }
  std::printf("%s against %s, %s, mask %s, range %.6g 1/mm\n", o.a.c_str(), o.b.c_str(),
              describe(a.grid).c_str(), o.mask.c_str(), range);
  for (const auto& entry : catalog.metrics.entries())
    std::printf("%-24s %s\n", entry.label.c_str(),
                value_text(entry.make({})->evaluate(pair), entry.make({})->unit()).c_str());
  return 0;
}

}  // namespace

Command add_compare(CLI::App& app, Program& program) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("compare", "Measure volume A against reference B");
  sub->add_option("A", o->a, "volume file or DICOM folder")
      ->type_name("VOLUME")
      ->required()
      ->check(not_empty());
  sub->add_option("B", o->b, "reference on the same grid")
      ->type_name("VOLUME")
      ->required()
      ->check(not_empty());
  sub->add_option("--range", o->range, "L of PSNR and SSIM (default: max - min of B)")
      ->type_name("1/MM")
      ->check(positive());
  sub->add_option("--mask", o->mask, "where: all, circle, or a radius in mm")
      ->type_name("MASK")
      ->capture_default_str();
  sub->add_flag("--hu", o->hu, "values of volume files are HU, not 1/mm");
  sub->add_option("--mu-water", o->mu_water, "attenuation of water, for HU")
      ->type_name("1/MM")
      ->capture_default_str()
      ->check(positive());
  sub->add_flag("--json", o->json, "print JSON");
  sub->footer("Example:\n  gantry-cli compare result.mha truth.mha --mask circle");
  return {sub, [o, &program] { return compare(*o, program.catalog); }};
}

}  // namespace gantry::cli
