#include "core/io/imports/formats/gantry_scan_frames.hpp"

#include "core/base/error.hpp"
#include "core/io/imports/formats/raw_frames.hpp"
#include "core/io/imports/import_geometry.hpp"
#include "core/io/scans/gantry_scan.hpp"

#include <utility>

namespace gantry {

namespace {

RawScan read(const ImportRequest& request) {
  if (!request.files_beside().empty())
    throw UsageError("is a scan of Gantry, which holds no images to divide", request.path,
                     "leave out the flats and darks");
  GantryScanHeader header = read_gantry_header(request.path);
  const ScanGeometry& geometry = *header.scan.geometry;
  const RawLayout layout{geometry.columns(), geometry.rows(), header.numbers};
  RawScan raw;
  raw.projections = raw_frames_of({header.data_file}, geometry.views(), layout, header.scan.notes);
  raw.geometry = geometry.spec();
  raw.begins_lowest = true;
  raw.are_line_integrals = header.scan.counting.photons_per_ray == 0;
  raw.take_white_level(header.scan.counting.photons_per_ray, "photons_per_ray");
  if (!header.scan.lengths_are_known) raw.assumptions.push_back(unknown_pixel);
  raw.mu_water = header.scan.mu_water;
  raw.notes = std::exchange(header.scan.notes, {});
  raw.stated = std::move(header.scan);
  return raw;
}

}  // namespace

ImportFormat gantry_scan_frames_format() {
  const ProjectionFormat own = gantry_scan_format();
  ImportFormat format;
  format.key = "gantry_scan_frames";
  format.label = "Gantry scan";
  format.extensions = own.extensions;
  format.magic = own.magic;
  format.read = read;
  format.is_header = true;
  return format;
}

}  // namespace gantry
