#include "core/io/scans/scan_file.hpp"

#include "core/base/error.hpp"
#include "core/io/geometries/geometry_formats.hpp"
#include "core/io/scans/projection_formats.hpp"

#include <algorithm>
#include <iterator>

namespace gantry {

namespace {

std::string usual_names(const std::vector<const FileFormat*>& formats) {
  std::string names;
  for (const FileFormat* format : formats)
    names += (names.empty() ? "NAME" : " or NAME") + format->extensions.front();
  return names;
}

const ProjectionFormat& format_to_write(const std::string& path) {
  if (const ProjectionFormat* format = projection_formats().to_write(path)) return *format;
  throw UsageError("is not a name for a scan", path, "name it " + scan_names_to_write());
}

}  // namespace

LoadedScan read_scan(const std::string& path, const Params& params) {
  const ProjectionFormat& format = projection_formats().to_read(path);
  return format.read(path, resolve_params(params, format.options, format.key));
}

ScanSpec read_geometry(const std::string& path, const Params& params) {
  return read_stated_geometry(path, {}, params).spec;
}

StatedGeometry read_stated_geometry(const std::string& path, const KnownDetector& known,
                                    const Params& params) {
  const auto scan = projection_formats().recognise(path);
  const auto other = geometry_formats().recognise(path);
  if (other.certainty > scan.certainty) {
    StatedGeometry stated = other.format->read(path, known);
    stated.spec = ScanGeometry(std::move(stated.spec), path).spec();
    stated.has_rows_of_files = true;
    note_object_outside(stated);
    make_circle(stated);
    return stated;
  }
  if (scan.format == nullptr) {
    std::vector<const FileFormat*> readable = projection_formats().readable();
    std::ranges::copy(geometry_formats().readable(), std::back_inserter(readable));
    refuse_unknown_format(path, "scan or geometry format", readable);
  }
  const ProjectionFormat& format = projection_formats().to_read(path);
  StatedGeometry stated;
  stated.spec = format.read_geometry(path, resolve_params(params, format.options, format.key));
  return stated;
}

std::string data_path_in_scan(const std::string& path) {
  const ProjectionFormat* format = projection_formats().recognise(path).format;
  if (format == nullptr || !format->data_path) return {};
  try {
    return format->data_path(path);
  } catch (const InputError&) {  // reading the scan will report the error
    return {};
  }
}

std::vector<std::string> files_of_scan(const std::string& path) {
  const ProjectionFormat& format = format_to_write(path);
  return format.files ? format.files(path) : std::vector<std::string>{path};
}

std::string scan_names_to_read() { return usual_names(projection_formats().readable()); }

std::string scan_names_to_write() { return usual_names(projection_formats().writable()); }

void require_writable_scan(const std::string& path) {
  const ProjectionFormat& format = format_to_write(path);
  if (format.require_writable) return format.require_writable(path);
  const AtomicFile probe(path);
}

void write_scan(const std::string& path, const ScanToWrite& scan, const Params& params) {
  const ProjectionFormat& format = format_to_write(path);
  format.write(path, scan, resolve_params(params, format.options, format.key));
}

void write_scan(const std::string& path, const ScanGeometry& geometry,
                std::span<const float> line_integrals, const std::string& description,
                const PhotonCounting& counting, const std::optional<SimulationRecord>& simulation,
                FileAccess access, const Params& params) {
  write_scan(path, {geometry, line_integrals, description, counting, simulation, access}, params);
}

}  // namespace gantry
