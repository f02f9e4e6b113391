#include "core/job/scans/measured_scan.hpp"

#include "core/base/error.hpp"
#include "core/catalog/apply_corrections.hpp"
#include "core/io/files/containers/hdf5_place.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/physics/statistical_weights.hpp"

#include <mutex>
#include <utility>

namespace gantry {

namespace {

constexpr std::size_t part_of_memory = 8;

/// Whether the files are imported: those of other programs, and Gantry's own where settings ask for
/// a part of them.
bool is_imported(const MeasuredSource& source) {
  return source.settings != ImportSettings() || is_importable(source.path);
}

ScanOrigin origin_of(const MeasuredSource& source) {
  ScanOrigin origin{source.path, source.settings, {}};
  std::vector<std::string> named = {source.settings.angles, source.settings.geometry};
  for (const auto& frames : {source.settings.flats, source.settings.darks})
    for (const std::string& text : frames) named.push_back(hdf5_place(text).file);
  if (!is_importable(source.path)) {
    named.insert(named.end(), {source.path, data_path_in_scan(source.path)});
    std::erase(named, std::string());
    origin.files = stamps_of(named);
    return origin;
  }
  origin.files = stamps_beside(source.path, named);
  return origin;
}

}  // namespace

std::shared_ptr<const ScanGeometry> measured_geometry(const std::optional<ScanSpec>& of_experiment,
                                                      const Padding& padding,
                                                      const LoadedScan& scan,
                                                      const std::string& path) {
  const ScanGeometry& own = *scan.geometry;
  if (!of_experiment) return scan.geometry;
  const bool is_padded = of_experiment->detector_columns == own.columns() + 2 * padding.columns;
  auto stated = std::make_shared<const ScanGeometry>(
      is_padded ? without_padding(*of_experiment, padding) : *of_experiment);
  if (stated->rays() != own.rays() || stated->columns() != own.columns() ||
      stated->rows() != own.rows())
    throw InputError(
        "the experiment's geometry has " + describe(*stated) + ", the file " + describe(own), path,
        "remove \"geometry\" from the experiment to use the file's");
  return stated;
}

MeasuredScanReading::MeasuredScanReading(MeasuredSource source, MeasuredScanTools tools)
    : source_(std::move(source)), tools_(std::move(tools)) {
  // The files are looked at before they are read: a change meanwhile is seen the next time.
  if (tools_.cache != nullptr) origin_ = origin_of(source_);
}

MeasuredScan MeasuredScanReading::read() const {
  if (tools_.interrupt != nullptr) tools_.interrupt->check();
  if (const KeptScan from_before = kept(); from_before.scan != nullptr) {
    MeasuredScan scan = *from_before.scan;
    scan.scan.line_integrals = *from_before.line_integrals;
    return scan;
  }
  if (tools_.progress) tools_.progress(0.0, "Reading the scan");
  MeasuredScan scan = read_files();
  if (const auto& [photons, sigma] = scan.scan.counting; photons > 0)
    scan.noise_norm = expected_noise_norm(scan.scan.line_integrals, photons, sigma);
  return scan;
}

KeptScan MeasuredScanReading::kept() const {
  if (tools_.cache == nullptr) return {};
  return tools_.cache->find(origin_, source_.geometry, source_.corrections);
}

MeasuredScan MeasuredScanReading::read_files() const {
  MeasuredScan scan;
  if (!is_imported(source_)) {
    scan.scan = read_scan(source_.path);
    return scan;
  }
  const ImportRequest request{source_.settings, source_.path};
  std::mutex mutex;  // several threads read
  static_cast<ImportedScan&>(scan) = import_scan(
      request,
      [&](double done) {
        const std::scoped_lock lock(mutex);
        if (tools_.progress) tools_.progress(0.9 * done, "Reading the projections");
        if (tools_.interrupt != nullptr) tools_.interrupt->check();
      },
      tools_.interrupt);
  return scan;
}

bool MeasuredScanReading::may_keep(std::size_t values) const {
  return tools_.cache != nullptr &&
         values * sizeof(float) <= tools_.cpu.free_bytes() / part_of_memory;
}

void MeasuredScanReading::keep(const MeasuredScan& head,
                               std::shared_ptr<const std::vector<float>> line_integrals) const {
  if (may_keep(line_integrals->size()))
    tools_.cache->keep(origin_, source_.geometry, source_.corrections,
                       {std::make_shared<const MeasuredScan>(head), std::move(line_integrals)});
}

void MeasuredScanReading::keep_copy(const MeasuredScan& head,
                                    const std::vector<float>& line_integrals) const {
  if (may_keep(line_integrals.size()))
    keep(head, std::make_shared<const std::vector<float>>(line_integrals));
}

void MeasuredScanReading::correct(MeasuredScan& scan, const ScanGeometry& geometry) const {
  const KeptScan from_before = kept();
  bool is_kept = from_before.scan != nullptr && from_before.scan->steps == scan.steps;
  std::vector<float> values = taken_line_integrals(scan);
  while (scan.steps < source_.corrections.size()) {
    if (!std::exchange(is_kept, false)) keep_copy(scan, values);
    apply_corrections({source_.corrections[scan.steps]}, tools_.catalog, geometry, values,
                      tools_.cpu, scan.correction_notes, lengths_are_known(scan.scan, geometry),
                      tools_.interrupt, tools_.progress);
    ++scan.steps;
  }
  scan.scan.line_integrals = std::move(values);
}

}  // namespace gantry
