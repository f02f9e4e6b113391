#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/series_options.hpp"
#include "app/version.hpp"
#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/volumes/file_in_folder.hpp"
#include "core/io/volumes/value_unit.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/metrics/contrast_to_noise.hpp"
#include "core/metrics/region.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace gantry::cli {

namespace {

struct ConvertOptions {
  std::string in, out, water, air, voxel;
  SeriesOptions series;
  bool hu = false, deidentify = false;
  int bits = 32;
  /// Not given: that which IN states, else the default.
  std::optional<double> mu_water;
};

/// Returns the size of voxels that a text states: one number, or three for x, y and z.
std::optional<Vec3> parse_voxel(const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::vector<double> numbers;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');)
    numbers.push_back(number_of_word(word).value_or(NAN));
  if (numbers.size() == 1) numbers.assign(3, numbers[0]);
  if (numbers.size() != 3 || text.ends_with(',') ||
      !std::ranges::all_of(numbers, [](double mm) { return mm > 0 && std::isfinite(mm); }))
    throw UsageError("\"" + text + "\" is no size of voxels", "--voxel",
                     "write it in mm, as 0.5 or X,Y,Z");
  return Vec3{numbers[0], numbers[1], numbers[2]};
}

/// Returns the mean of a region in 1/mm, and prints what was measured. Throws UsageError where the
/// region holds no voxel.
double measured(const LoadedVolume& volume, const std::string& region_text, const char* material) {
  const std::string option = std::string("--") + material;
  const Region region = parse_region(region_text, option);
  const RegionStatistics found = region_statistics(volume.grid, volume.mu, region);
  if (found.voxels == 0)
    throw UsageError("the " + describe(region) + " holds no voxel of the volume", option,
                     "gantry-cli info says where the volume lies");
  std::printf("%s: %.6g +- %.3g 1/mm in %zu voxels, %s\n", material, found.mean, found.deviation,
              found.voxels, describe(region).c_str());
  return found.mean;
}

/// Shifts the volume so that the measured air is 0 1/mm, and returns the attenuation of the
/// measured water on this scale, 1/mm. Throws UsageError unless water attenuates more than air.
double take_scale(LoadedVolume& volume, const ConvertOptions& options) {
  const double water = measured(volume, options.water, "water"),
               air = options.air.empty() ? 0 : measured(volume, options.air, "air");
  if (!(water > air))
    throw UsageError("water of " + format_param(water) + " 1/mm attenuates no more than air",
                     "--water", "choose a region of water");
  if (air != 0)
    for (float& mu : volume.mu) mu -= static_cast<float>(air);
  return to_digits(water - air, 6);
}

VolumeToWrite volume_of(const LoadedVolume& in, const ConvertOptions& options) {
  VolumeToWrite out;
  out.grid = in.grid;
  out.mu = in.mu;
  out.mu_water = options.mu_water.value_or(in.mu_water);
  out.as_hu = options.hu || !options.water.empty();
  out.lengths_are_known = in.lengths_are_known;
  out.frame = in.frame;
  out.study = in.study;
  out.access = access_for_volume(options.in);
  out.deidentify = options.deidentify;
  out.series_description = "Gantry conversion";
  out.derivation = "converted from " + source_name(in);
  if (!options.water.empty()) out.derivation += ", HU by measured water";
  out.derivation_code = in.resampled ? spatial_resampling : format_conversion;
  if (in.study) out.slice_thickness_mm = in.study->slice_thickness_mm;
  out.software_version = version_number();
  if (options.bits != 32) out.params.set("bits", std::to_string(options.bits));
  return out;
}

/// Opens the only volume of a folder that has one beside no series, as info does. Throws InputError
/// for a folder with a scan instead.
void open_folder(std::string& path) {
  const std::string file = file_in_folder(path);
  if (file.empty()) return;
  if (identify_file(file) != FileKind::volume)
    throw InputError("holds no volume, but " + std::filesystem::path(file).filename().string() +
                         ", a scan or an experiment",
                     path, "give the volume that is reconstructed from it");
  print_notes({opened_in_folder(file)});
  path = file;
}

int convert(ConvertOptions options) {
  open_folder(options.in);
  FileRoles files;
  files.reads(options.in, "IN");
  files.writes_volume(options.out, "OUT");
  files.require_distinct();
  require_writable_volume(options.out);
  if (options.deidentify) require_deidentifiable(options.out);
  for (const auto& [text, option] : {std::pair(options.water, "--water"), {options.air, "--air"}})
    if (!text.empty()) parse_region(text, option);  // before the volume is read
  const std::optional<Vec3> voxel_mm = parse_voxel(options.voxel);
  LoadedVolume in = load_volume(options.in, {options.hu,
                                             options.mu_water.value_or(default_mu_water),
                                             options.series.series,
                                             options.series.uneven_slices(),
                                             {},
                                             nullptr,
                                             voxel_mm});
  print_notes(in.notes);
  if (!options.water.empty()) options.mu_water = take_scale(in, options);
  VolumeToWrite out = volume_of(in, options);
  if (const std::string lost = place_in_patient(options.out, out); !lost.empty())
    print_notes({lost});
  write_volume(options.out, out);
  std::cout << wrote_text(options.out, out) << ": " << describe(in.grid) << '\n';
  if (in.from_hu && !writes_hu(options.out, out))
    std::printf("from HU with water at %.6g 1/mm\n", in.mu_water);
  return 0;
}

}  // namespace

Command add_convert(CLI::App& app, Program&) {
  auto o = std::make_shared<ConvertOptions>();
  CLI::App* sub =
      app.add_subcommand("convert", "Convert a volume or DICOM series to another kind of file");
  sub->add_option("IN", o->in, "volume file or DICOM folder")
      ->type_name("VOLUME")
      ->required()
      ->check(not_empty());
  sub->add_option("OUT", o->out, "volume: " + volume_names_to_write())
      ->type_name("VOLUME")
      ->required()
      ->check(not_empty());
  sub->add_flag("--hu", o->hu, "values of volume files are HU, in and out; else 1/mm");
  sub->add_option("--mu-water", o->mu_water,
                  "attenuation of water, for HU (default: that which IN states, else " +
                      format_param(default_mu_water) + ")")
      ->type_name("1/MM")
      ->check(positive());
  auto* water = sub->add_option("--water", o->water,
                                "region of water (as --roi of compare), whose mean is 0 HU in OUT")
                    ->type_name("MM")
                    ->check(not_empty());
  sub->add_option("--air", o->air, "region of air, whose mean is -1000 HU; else 0 1/mm is air")
      ->type_name("MM")
      ->check(not_empty())
      ->needs(water);
  sub->add_option("--bits", o->bits,
                  "of the values in a TIFF file: 32, or 16 on one scale for all slices")
      ->type_name("BITS")
      ->capture_default_str()
      ->check(CLI::IsMember({16, 32}));
  sub->add_option("--voxel", o->voxel, "size of voxels where IN states none: one number, or X,Y,Z")
      ->type_name("MM")
      ->check(not_empty());
  add_deidentify(*sub, o->deidentify);
  o->series.add_to(*sub);
  sub->footer("Example:\n  gantry-cli convert ct_folder head.mha --hu");
  return {sub, [o] { return convert(*o); }, false};
}

}  // namespace gantry::cli
