#include "core/io/scans/gantry_scan.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/files/atomic_pair.hpp"
#include "core/io/files/data_seal.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/raw_numbers.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/scans/geometry_json.hpp"
#include "core/io/scans/geometry_json_impl.hpp"
#include "core/io/scans/grid_json.hpp"
#include "core/physics/noise.hpp"
#include "core/physics/units.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

namespace {

constexpr const char* format_name = "gantry-scan";
constexpr int format_version = 1;
constexpr std::size_t largest_json = std::size_t{1} << 29;  // 10 million angles, one per line

/// The object "data": which file holds the data and how to read it.
struct DataFields {
  std::string file;  ///< absolute, or relative to the working directory
  NumberFormat numbers;
  PhotonCounting counting;       ///< for counts; else the values are line integrals
  std::optional<DataSeal> seal;  ///< if stated
};

void require_format(const JsonFields& top) {
  top.choice("format", {format_name});
  const int version = top.integer("version", 1, 1'000'000);
  if (version != format_version)
    top.fail("version", std::to_string(version) + " is newer than this program knows",
             "write the file as version " + std::to_string(format_version));
}

/// Returns the path of the data. A scan file from elsewhere must not read just any file of this
/// machine: with links resolved, the data have to lie in the folder of the scan file or below,
/// unless allows_data_outside().
std::string data_path(const JsonFields& data) {
  const std::string name = data.text("file", "name the raw data file");
  if (name.empty()) data.fail("file", "is empty", "name the raw data file");
  if (has_control_characters(name))
    data.fail("file", "holds a control character", "rename the data file");
  const fs::path scan(data.where()), path = scan.parent_path() / name;
  const bool inside = lies_within(path, scan.parent_path()) ||
                      lies_within(path, fs::weakly_canonical(fs::absolute(scan)).parent_path());
  if (!inside && !allows_data_outside())
    data.fail("file", "lies outside the folder of the scan file (" + path.string() + ")",
              "move it there, or allow it by GANTRY_ALLOW_OUTSIDE=1");
  return path.string();
}

std::optional<DataSeal> seal_from_json(const JsonFields& data) {
  if (!data.has("crc32")) return std::nullopt;
  const auto crc = crc_from_text(data.text("crc32", "give eight hexadecimal digits"));
  if (!crc) data.fail("crc32", "is no CRC-32", "give eight hexadecimal digits, or remove it");
  const double bytes = data.number("bytes");
  if (!(bytes >= 0 && bytes <= 9e15) || bytes != std::floor(bytes))
    data.fail("bytes", "is no length", "give the number of bytes of the data file");
  return DataSeal{static_cast<std::uintmax_t>(bytes), *crc};
}

DataFields data_fields(const JsonFields& top, std::vector<std::string>& notes) {
  const JsonFields data = top.object("data", "say where the data are");
  DataFields fields;
  fields.file = data_path(data);
  fields.seal = seal_from_json(data);
  constexpr NumberType types[] = {NumberType::float32, NumberType::float64, NumberType::uint16};
  fields.numbers.type = types[data.choice("type", {"float32", "float64", "uint16"})];
  fields.numbers.big_endian = data.choice("byte_order", {"little", "big"}) == 1;
  data.choice("order", {"view,row,column"});
  if (data.choice("quantity", {"line_integral", "counts"}) == 1) {
    fields.counting = {data.number("photons_per_ray"), data.number("electronic_sigma", 0)};
    if (!(fields.counting.photons_per_ray >= 1 && fields.counting.photons_per_ray <= 1e15))
      data.fail("photons_per_ray", "is out of range",
                "give the counts of an unattenuated ray, 1 to 1e15");
    if (!(fields.counting.electronic_sigma >= 0))
      data.fail("electronic_sigma", "is negative", "give a standard deviation in photons");
  }
  for (const std::string& path :
       data.others({"file", "type", "byte_order", "order", "quantity", "photons_per_ray",
                    "electronic_sigma", "bytes", "crc32"}))
    notes.push_back("the field " + path + " is not known and was left out");
  return fields;
}

/// Returns the attenuation of water, 1/mm, that a scan states, within the limits of experiments; 0:
/// none.
double mu_water_from(const JsonFields& top) {
  if (!top.has("mu_water")) return 0;
  const double mu = top.number("mu_water");
  if (!(mu >= least_mu_water && mu <= largest_mu_water))
    top.fail("mu_water", "is no attenuation of water",
             "give it in 1/mm, 1e-6 to 100, or remove the field");
  return mu;
}

SimulationRecord simulation_from_json(const JsonFields& fields, std::vector<std::string>& notes) {
  SimulationRecord record;
  record.subrays = fields.integer("subrays", 1, 64, 1);
  if (fields.choice("model", {"exact", "projector"}) == 1) {
    record.projector = fields.text("projector", "name the projector");
    record.grid = grid_from_json(fields.object("grid", "give the grid that was projected"));
  }
  for (const std::string& path : fields.others({"model", "subrays", "projector", "grid"}))
    notes.push_back("the field " + path + " is not known and was left out");
  return record;
}

nlohmann::ordered_json to_json(const SimulationRecord& record) {
  if (record.projector.empty()) return {{"model", "exact"}, {"subrays", record.subrays}};
  return {{"model", "projector"},
          {"projector", record.projector},
          {"subrays", record.subrays},
          {"grid", to_json(record.grid)}};
}

/// Returns the shape of the data: "549 views x 1 rows x 560 columns".
std::string shape_of(const ScanGeometry& geometry) {
  return std::to_string(geometry.views()) + " views x " + std::to_string(geometry.rows()) +
         " rows x " + std::to_string(geometry.columns()) + " columns";
}

void require_size(const DataFields& fields, const ScanGeometry& geometry, const std::string& json) {
  std::error_code error;
  if (!fs::is_regular_file(fields.file, error))
    throw InputError("there is no such data file", fields.file,
                     "put it there or correct data.file in " + json);
  const std::uintmax_t actual = fs::file_size(fields.file, error);
  if (error) throw InputError("cannot be read (" + error.message() + ")", fields.file, "check it");
  const std::uintmax_t expected = geometry.rays() * bytes_of(fields.numbers.type);
  if (actual == expected) return;
  throw InputError(
      "holds " + std::to_string(actual) + " bytes, but " + shape_of(geometry) + " of " +
          std::to_string(bytes_of(fields.numbers.type)) + " bytes are " + std::to_string(expected),
      fields.file,
      actual < expected ? "the file is cut short, or data.type or the geometry is wrong"
                        : "data.type or the geometry in " + json + " is wrong");
}

std::vector<float> read_data(const DataFields& fields, const ScanGeometry& geometry,
                             const std::string& json) {
  std::vector<float> values(geometry.rays());
  std::ifstream file(fields.file, std::ios::binary);
  const ByteSource source = [&](std::span<std::byte> bytes) {
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return static_cast<std::size_t>(file.gcount());
  };
  DataSeal seal;
  if (!file || read_numbers(sealed(source, seal), fields.numbers, values) != values.size())
    throw InputError("cannot be read", fields.file, "check the disk and the permissions");
  if (fields.seal) require_seal(seal, *fields.seal, fields.file, json, "data.crc32");
  return values;
}

/// Adds a note if a header without a checksum is older than its data: such a header may belong to
/// another scan, whose writer was interrupted between the two files. Differences up to 2 s are
/// ignored: files made by hand are written within moments, and file systems store times to 2 s.
void note_older_header(const DataFields& fields, const std::string& json,
                       std::vector<std::string>& notes) {
  std::error_code header_error, data_error;
  const auto header = fs::last_write_time(json, header_error);
  const auto data = fs::last_write_time(fields.file, data_error);
  if (fields.seal || header_error || data_error || data <= header + std::chrono::seconds(2)) return;
  notes.push_back(fs::path(json).filename().string() +
                  ", which holds no checksum, is older than its data " +
                  fs::path(fields.file).filename().string() +
                  ": the two may not belong together; make or fetch both again, or, if they do, "
                  "save the header once more");
}

/// Returns the cell of a ray: "view 3, row 0, column 17".
std::string place_of(std::size_t ray, const ScanGeometry& geometry) {
  const auto columns = static_cast<std::size_t>(geometry.columns());
  return "view " + std::to_string(ray / geometry.cells()) + ", row " +
         std::to_string(ray % geometry.cells() / columns) + ", column " +
         std::to_string(ray % columns);
}

/// Throws InputError if the byte order is wrong. Is called before require_finite(), since swapped
/// bytes can also make values that are not finite.
void require_byte_order(const std::vector<float>& values, const DataFields& fields,
                        const std::string& json) {
  if (fields.numbers.type != NumberType::float32 || !looks_swapped(values)) return;
  const std::string other = fields.numbers.big_endian ? "little" : "big";
  throw InputError("the values of " + fields.file + " make sense only in the other byte order",
                   json + ": data.byte_order", "set it to \"" + other + "\"");
}

void require_finite(const std::vector<float>& values, const DataFields& fields,
                    const ScanGeometry& geometry) {
  const BadValues bad = find_bad_values(values);
  if (bad.count > 0)
    throw InputError(
        describe(bad) + ", the first at " + place_of(bad.first, geometry) + " (from 0)",
        fields.file, "replace them, for example by the mean of their neighbours");
}

/// Returns NAME.f32 for NAME.scan.json or NAME.json. Throws UsageError for any other name.
std::string data_path_of(const std::string& path) {
  for (const std::string_view ending : {".scan.json", ".json"})
    if (has_extension(path, ending)) return path.substr(0, path.size() - ending.size()) + ".f32";
  throw UsageError("is not a name for a scan", path, "name it NAME.scan.json");
}

/// Adds a note if the values exceed every attenuation that a detector can measure, or are far below
/// that of air: the data may belong to another header, or be another quantity.
void note_implausible_values(std::span<const float> line_integrals,
                             std::vector<std::string>& notes) {
  constexpr float largest_plausible = 40;  // one photon of 2e17 is counted
  constexpr float least_plausible = -10;   // 22 thousand times the beam is counted
  if (line_integrals.empty()) return;
  const auto [least, largest] = std::ranges::minmax(line_integrals);
  const auto note = [&](const char* verb, float value, const char* what) {
    notes.push_back(std::string("the line integrals ") + verb + " " +
                    format_param(std::round(value)) + ", " + what +
                    ": the data may belong to another scan, be another quantity, or "
                    "come from values that are not in 1/mm");
  };
  if (largest > largest_plausible) note("reach", largest, "which no detector can measure");
  if (least < least_plausible) note("fall to", least, "far more light than the beam has");
}

}  // namespace

namespace {

/// Returns a scan without its data; `fields` get where these are.
LoadedScan read_header(const std::string& path, DataFields& fields) {
  const nlohmann::json json = parse_json(read_text_file(path, largest_json), path);
  const JsonFields top(json, path);
  require_format(top);
  LoadedScan scan;
  scan.source = path;
  scan.description = top.text_or("description", "");
  scan.license = top.text_or("license", "");
  for (const std::string& field :
       top.others({"format", "version", "description", "license", "mu_water", "length_unit", "flat",
                   "padded_rows", "geometry", "data", "simulation"}))
    scan.notes.push_back("the field " + field + " is not known and was left out");
  scan.geometry = std::make_shared<const ScanGeometry>(
      scan_spec_from_json(top.object("geometry", "describe the scan"), &scan.notes), path);
  if (scan.geometry->field_of_view_radius_mm() <= 0)
    scan.notes.push_back(std::string("the detector does not see the axis of rotation; check ") +
                         (scan.geometry->rotates() ? "central_column" : "the poses"));
  scan.mu_water = mu_water_from(top);
  scan.lengths_are_known = top.choice("length_unit", {"mm", "cell"}, 0) == 0;
  scan.lacks_flat = top.choice("flat", {"applied", "none"}, 0) == 1;
  scan.hides_cut_rows = top.choice("padded_rows", {"whole", "cut off"}, 0) == 1;
  if (top.has("simulation"))
    scan.simulation = simulation_from_json(top.object("simulation", {}), scan.notes);
  fields = data_fields(top, scan.notes);
  scan.counting = fields.counting;
  require_size(fields, *scan.geometry, path);
  return scan;
}

/// Throws InputError unless the data file has the checksum that its header states, if it does.
void require_stated_seal(const DataFields& fields, const std::string& json) {
  if (!fields.seal) return;
  std::ifstream file(fields.file, std::ios::binary);
  std::vector<std::byte> bytes(std::size_t{1} << 20);
  DataSeal seal;
  const ByteSource source = sealed(
      [&](std::span<std::byte> part) {
        file.read(reinterpret_cast<char*>(part.data()), static_cast<std::streamsize>(part.size()));
        return static_cast<std::size_t>(file.gcount());
      },
      seal);
  while (source(bytes) > 0) {
  }
  require_seal(seal, *fields.seal, fields.file, json, "data.crc32");
}

}  // namespace

GantryScanHeader read_gantry_header(const std::string& path) {
  DataFields fields;
  GantryScanHeader header;
  header.scan = read_header(path, fields);
  require_stated_seal(fields, path);
  note_older_header(fields, path, header.scan.notes);
  header.data_file = fields.file;
  header.numbers = fields.numbers;
  return header;
}

LoadedScan read_gantry_scan(const std::string& path) {
  DataFields fields;
  LoadedScan scan = read_header(path, fields);
  scan.line_integrals = read_data(fields, *scan.geometry, path);
  note_older_header(fields, path, scan.notes);
  require_byte_order(scan.line_integrals, fields, path);
  require_finite(scan.line_integrals, fields, *scan.geometry);
  if (scan.counting.photons_per_ray == 0) {
    if (!fields.seal) note_implausible_values(scan.line_integrals, scan.notes);
    return scan;
  }
  require_counts(scan.line_integrals, scan.counting.electronic_sigma, fields.file,
                 [&](std::size_t ray) { return place_of(ray, *scan.geometry) + " (from 0)"; });
  const std::size_t starved = counts_to_line_integrals(
      scan.line_integrals, scan.counting.photons_per_ray, scan.line_integrals);
  if (starved > 0)
    scan.notes.push_back((starved == 1
                              ? "1 reading below one photon was"
                              : std::to_string(starved) + " readings below one photon were") +
                         std::string(" taken as one photon"));
  return scan;
}

void write_gantry_scan(const std::string& path, const ScanToWrite& scan) {
  const ScanGeometry& geometry = scan.geometry;
  const PhotonCounting& counting = scan.counting;
  std::span<const float> line_integrals = scan.line_integrals;
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("line integrals to write do not have their scan's size");
  const std::string data_path = data_path_of(path);
  require_name_for_json(data_path);
  const BadValues bad = find_bad_values(line_integrals);
  if (bad.count > 0)
    throw OutputError(describe(bad) + ", the first at " + place_of(bad.first, geometry), path,
                      "a scan cannot hold them");
  auto json = nlohmann::ordered_json::object();
  json["format"] = format_name;
  json["version"] = format_version;
  if (!scan.description.empty()) json["description"] = scan.description;
  if (scan.mu_water > 0 && scan.mu_water != default_mu_water) json["mu_water"] = scan.mu_water;
  if (!scan.lengths_are_known) json["length_unit"] = "cell";
  if (scan.lacks_flat) json["flat"] = "none";
  if (scan.hides_cut_rows) json["padded_rows"] = "cut off";
  if (scan.simulation) json["simulation"] = to_json(*scan.simulation);
  json["geometry"] = to_json(geometry.spec());
  json["data"] = {{"file", ""},
                  {"type", "float32"},
                  {"byte_order", "little"},
                  {"order", "view,row,column"},
                  {"quantity", "line_integral"}};
  std::vector<float> counts;
  if (counting.photons_per_ray > 0) {
    counts.resize(line_integrals.size());
    line_integrals_to_counts(line_integrals, counting.photons_per_ray, counts);
    line_integrals = counts;
    json["data"]["quantity"] = "counts";
    json["data"]["photons_per_ray"] = counting.photons_per_ray;
    if (counting.electronic_sigma > 0) json["data"]["electronic_sigma"] = counting.electronic_sigma;
  }
  AtomicPair pair(path, data_path, scan.access);
  write_numbers(line_integrals, [&](std::span<const std::byte> bytes) { pair.write(bytes); });
  pair.commit([&](const std::string& file, const DataSeal& seal) {
    json["data"]["file"] = file;
    json["data"]["bytes"] = seal.bytes;
    json["data"]["crc32"] = crc_text(seal);
    return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  });
}

ProjectionFormat gantry_scan_format() {
  ProjectionFormat format;
  format.key = "gantry_scan";
  format.label = "Gantry scan";
  format.extensions = {".scan.json", ".json"};
  format.magic = [](std::string_view start) {
    if (!begins_json_object(start)) return Certainty::none;
    return start.find(format_name) != std::string_view::npos ? Certainty::certain
                                                             : Certainty::possible;
  };
  format.read = [](const std::string& path, const Params&) { return read_gantry_scan(path); };
  format.read_geometry = [](const std::string& path, const Params&) {
    return parse_geometry(read_text_file(path, largest_json), path);
  };
  format.data_path = [](const std::string& path) {
    const nlohmann::json json = parse_json(read_text_file(path, largest_json), path);
    return data_path(JsonFields(json, path).object("data", {}));
  };
  format.write = [](const std::string& path, const ScanToWrite& scan, const Params&) {
    write_gantry_scan(path, scan);
  };
  format.files = [](const std::string& path) {
    return std::vector<std::string>{path, data_path_of(path)};
  };
  format.require_writable = [](const std::string& path) {
    const std::string data = data_path_of(path);
    require_name_for_json(data);
    const AtomicPair probe(path, data);
  };
  return format;
}

}  // namespace gantry
