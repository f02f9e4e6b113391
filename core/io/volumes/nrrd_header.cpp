#include "core/io/volumes/nrrd_header.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/foreign_file.hpp"
#include "core/io/files/text/length_units.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/volumes/slice_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

namespace gantry {

namespace {

constexpr std::size_t largest_header = std::size_t{1} << 20;

/// The fields of a header, with keys in lower case and without the variants of spelling.
class Fields {
 public:
  explicit Fields(const std::string& path) : path_(path) {
    refuse_empty_file(path);
    std::string text(
        static_cast<std::size_t>(std::min<std::uintmax_t>(length_of_file(path), largest_header)),
        '\0');
    text.resize(bytes_in({rest_of_file(path)})(std::as_writable_bytes(std::span(text))));
    if (!text.starts_with(nrrd_magic))
      throw InputError("is no NRRD file", path, "its first line should be \"NRRD0004\"");
    parse(text);
  }

  std::string text(const char* key) const {
    const auto found = fields_.find(key);
    return found == fields_.end() ? std::string() : found->second;
  }
  bool has(const char* key) const { return fields_.contains(key); }
  std::string require(const char* key) const {
    if (!has(key)) fail(key, "is missing", "add it to the header");
    return text(key);
  }
  [[noreturn]] void fail(const std::string& key, const std::string& what,
                         const std::string& remedy) const {
    throw InputError(what, path_ + ": " + key, remedy);
  }
  [[noreturn]] void fail_value(const char* key, const std::string& remedy) const {
    fail(key, "is \"" + text(key) + "\"", remedy);
  }

  /// Returns the numbers of a field, in which parentheses and commas count as blanks; words that
  /// are no numbers, as "none", are NaN.
  std::vector<double> numbers(const char* key) const {
    std::vector<double> numbers;
    const std::string words = text(key);
    for (std::size_t at = 0; at < words.size();) {
      const std::size_t first = words.find_first_not_of(" \t,()", at),
                        end = std::min(words.find_first_of(" \t,()", first), words.size());
      if (first == std::string::npos) break;
      numbers.push_back(
          number_of_word(std::string_view(words).substr(first, end - first)).value_or(NAN));
      at = end;
    }
    return numbers;
  }

  /// Returns the numbers of a field without those of a fourth axis, which has none.
  std::vector<double> axis_numbers(const char* key, std::size_t most) const {
    std::vector<double> all = numbers(key);
    if (text("dimension") == "4") all.resize(std::min(all.size(), most));
    return all;
  }

  const Description& description() const { return description_; }  ///< "key:=value"
  std::size_t bytes() const { return bytes_; }  ///< of the header with its blank line
  const std::string& path() const { return path_; }

 private:
  static std::string plain(std::string key) {
    static const std::map<std::string, std::string> variants = {
        {"datafile", "data file"}, {"byteskip", "byte skip"}, {"lineskip", "line skip"},
        {"axismins", "axis mins"}, {"axismaxs", "axis maxs"}, {"sampleunits", "sample units"}};
    key = lower_case(std::move(key));
    const auto found = variants.find(key);
    return found == variants.end() ? key : found->second;
  }

  void parse(const std::string& text) {
    bytes_ = std::min(text.find('\n'), text.size() - 1) + 1;
    while (bytes_ < text.size()) {
      const std::size_t end = std::min(text.find('\n', bytes_), text.size());
      const std::string_view line =
          trimmed_blanks(std::string_view(text).substr(bytes_, end - bytes_));
      bytes_ = std::min(end + 1, text.size());
      if (line.empty()) return;
      if (line.starts_with('#')) continue;
      const std::size_t colon = line.find(':');
      if (colon == std::string_view::npos || line.find('\0') != std::string_view::npos)
        throw InputError("holds a line without a colon in its header", path_,
                         "the file is damaged, or its header lacks the blank line at its end");
      const std::string key(line.substr(0, colon));
      if (colon + 1 < line.size() && line[colon + 1] == '=') {
        description_[key] = line.substr(colon + 2);
        continue;
      }
      fields_[plain(key)] = trimmed_blanks(line.substr(colon + 1));
      if (plain(key) == "data file" && fields_["data file"].starts_with("LIST")) return;
    }
  }

  std::string path_;
  std::map<std::string, std::string> fields_;
  Description description_;
  std::size_t bytes_ = 0;
};

NumberFormat read_type(const Fields& fields) {
  static const std::map<std::string, NumberType> types = {
      {"signed char", NumberType::int8},
      {"int8", NumberType::int8},
      {"int8_t", NumberType::int8},
      {"uchar", NumberType::uint8},
      {"unsigned char", NumberType::uint8},
      {"uint8", NumberType::uint8},
      {"uint8_t", NumberType::uint8},
      {"short", NumberType::int16},
      {"short int", NumberType::int16},
      {"signed short", NumberType::int16},
      {"signed short int", NumberType::int16},
      {"int16", NumberType::int16},
      {"int16_t", NumberType::int16},
      {"ushort", NumberType::uint16},
      {"unsigned short", NumberType::uint16},
      {"unsigned short int", NumberType::uint16},
      {"uint16", NumberType::uint16},
      {"uint16_t", NumberType::uint16},
      {"int", NumberType::int32},
      {"signed int", NumberType::int32},
      {"int32", NumberType::int32},
      {"int32_t", NumberType::int32},
      {"uint", NumberType::uint32},
      {"unsigned int", NumberType::uint32},
      {"uint32", NumberType::uint32},
      {"uint32_t", NumberType::uint32},
      {"longlong", NumberType::int64},
      {"long long", NumberType::int64},
      {"long long int", NumberType::int64},
      {"signed long long", NumberType::int64},
      {"signed long long int", NumberType::int64},
      {"int64", NumberType::int64},
      {"int64_t", NumberType::int64},
      {"ulonglong", NumberType::uint64},
      {"unsigned long long", NumberType::uint64},
      {"unsigned long long int", NumberType::uint64},
      {"uint64", NumberType::uint64},
      {"uint64_t", NumberType::uint64},
      {"float", NumberType::float32},
      {"double", NumberType::float64}};
  const auto type = types.find(lower_case(fields.require("type")));
  if (type == types.end()) fields.fail_value("type", "use one number per voxel, int8 to double");
  const std::string order = lower_case(fields.text("endian"));
  if (order != "little" && order != "big" && !order.empty())
    fields.fail_value("endian", "use little or big");
  return {type->second, order == "big"};
}

/// Takes the unit that the file states of its values, unless Gantry stated it under its own key.
void read_value_unit(const Fields& fields, StoredVolume& stored) {
  static const std::map<std::string, double> per_mm = {
      {"1/mm", 1},    {"/mm", 1},    {"mm^-1", 1},  {"mm-1", 1},  {"1/cm", 0.1},  {"/cm", 0.1},
      {"cm^-1", 0.1}, {"cm-1", 0.1}, {"1/m", 1e-3}, {"/m", 1e-3}, {"m^-1", 1e-3}, {"m-1", 1e-3}};
  const std::string stated = fields.text("sample units");
  std::string unit = lower_case(stated);
  std::erase(unit, '"');
  if (unit.empty() || unit == "?" || stored.description.contains(values_key)) return;
  if (unit == "hu" || unit.starts_with("hounsfield")) {
    stored.description[values_key] = "HU";
  } else if (const auto known = per_mm.find(unit); known != per_mm.end()) {
    stored.description[values_key] = "1/mm";
    stored.slope = known->second;
  } else {
    stored.notes.push_back(
        "the file states its values in " + stated +
        ", which is neither HU nor 1/mm: they were read as if it stated no unit");
  }
}

ValueEncoding read_encoding(const Fields& fields) {
  const std::string word = lower_case(fields.require("encoding"));
  if (word == "raw") return ValueEncoding::raw;
  if (word == "gzip" || word == "gz") return ValueEncoding::deflated;
  if (word == "ascii" || word == "text" || word == "txt") return ValueEncoding::text;
  fields.fail_value("encoding", "use raw, gzip or ascii");
}

/// Returns the number of dimensions, without a fourth one of a single volume.
std::size_t read_sizes(const Fields& fields, StoredVolume& stored) {
  const std::vector<double> dimension = fields.numbers("dimension"),
                            sizes = fields.numbers("sizes");
  const bool is_single = sizes.size() == 4 && sizes[3] == 1;
  if (dimension.size() != 1 ||
      (dimension[0] != 2 && dimension[0] != 3 && !(dimension[0] == 4 && is_single))) {
    fields.require("dimension");
    fields.fail_value(
        "dimension",
        "only volumes of 2 and 3 dimensions can be read, and of 4 with a last size of 1");
  }
  const auto stated = static_cast<std::size_t>(dimension[0]), n = std::min(stated, std::size_t{3});
  fields.require("sizes");
  for (std::size_t i = 0; i < n; ++i) {
    if (sizes.size() != stated || !(sizes[i] >= 1 && sizes[i] <= 65536) ||
        sizes[i] != std::floor(sizes[i]))
      fields.fail_value("sizes", "give whole numbers from 1 to 65536, one for each dimension");
    stored.size[i] = static_cast<int>(sizes[i]);
  }
  return n;
}

/// Returns the length in mm of the unit of lengths, one for all axes; 1 where none is stated.
double unit_mm(const Fields& fields) {
  for (const char* key : {"space units", "units"}) {
    const std::string text = fields.text(key);
    std::optional<double> stated;
    for (std::size_t first = text.find('"'), end = 0; first != std::string::npos;
         first = text.find('"', end + 1)) {
      end = text.find('"', first + 1);
      if (end == std::string::npos) break;
      if (end == first + 1) continue;  // an axis without a unit
      const double unit = length_unit_mm(text.substr(first + 1, end - first - 1));
      if (unit == 0) fields.fail_value(key, "give lengths in \"mm\"");
      if (stated.value_or(unit) != unit) fields.fail_value(key, "give all lengths in one unit");
      stated = unit;
    }
    if (stated) return *stated;
  }
  return 1;
}

/// Returns by what the axes x and y of a space are multiplied to make them those of LPS. Notes say
/// what the space is not.
std::pair<double, double> turn_to_lps(const Fields& fields, StoredVolume& stored) {
  const std::string space = lower_case(fields.text("space"));
  const auto note_turned = [&](const char* name) {
    stored.notes.push_back(std::string("the axes, which the file states as ") + name +
                           ", were turned to left, posterior, superior");
  };
  if (space == "right-anterior-superior" || space == "ras") {
    note_turned("right, anterior, superior");
    return {-1, -1};
  }
  if (space == "left-anterior-superior" || space == "las") {
    note_turned("left, anterior, superior");
    return {1, -1};
  }
  if (space == "3d-left-handed" || space == "3dlh")
    stored.notes.emplace_back("the file states a left-handed space: the volume is mirrored");
  else if (space.empty())
    stored.notes.emplace_back(
        "the file states no space: its axes were taken as x, y and z, and the orientation of a "
        "patient is not known");
  else if (space != "left-posterior-superior" && space != "lps" && space != "3d-right-handed" &&
           space != "3drh" && space != "scanner-xyz")
    fields.fail_value("space", "use a space of three dimensions, as left-posterior-superior");
  return {1, 1};
}

/// Whether the samples along an axis lie in the middles of cells, not on nodes.
bool are_cells(const Fields& fields, std::size_t axis) {
  std::istringstream words(
      lower_case(fields.has("centers") ? fields.text("centers") : fields.text("centerings")));
  std::string centring;
  for (std::size_t i = 0; i <= axis; ++i) {
    centring.clear();
    words >> centring;
  }
  return centring == "cell";
}

/// Returns the place of the first voxel by the least positions along the axes, in the unit of
/// lengths, which of cells are those of their edges; nothing where the file states none.
std::optional<Vec3> least_positions(const Fields& fields, std::size_t dimensions,
                                    const StoredVolume& stored, double unit) {
  const std::vector<double> least = fields.axis_numbers("axis mins", dimensions);
  if (least.size() != dimensions ||
      !std::ranges::all_of(least, [](double value) { return std::isfinite(value); }))
    return std::nullopt;
  std::array<double, 3> place{};
  for (std::size_t i = 0; i < dimensions; ++i)
    place[i] = unit * least[i] + (are_cells(fields, i) ? 0.5 * stored.spacing_mm[i] : 0);
  return Vec3{place[0], place[1], place[2]};
}

/// Returns the spacing along an axis that its least and greatest position imply; NaN without them.
double implied_spacing(const Fields& fields, std::size_t axis, const StoredVolume& stored) {
  const std::vector<double> least = fields.numbers("axis mins"), most = fields.numbers("axis maxs");
  if (axis >= least.size() || axis >= most.size()) return NAN;
  const int steps = stored.size[axis] - (are_cells(fields, axis) ? 0 : 1);
  return steps > 0 && most[axis] > least[axis] ? (most[axis] - least[axis]) / steps : NAN;
}

/// Takes the spacings, of which NRRD writes "nan" for one that is not known: the one that the least
/// and greatest position imply, or that of the first axis that has one, takes its place.
void read_spacings(const Fields& fields, std::size_t dimensions, double unit,
                   StoredVolume& stored) {
  std::vector<double> spacings = fields.axis_numbers("spacings", dimensions);
  if (spacings.size() != dimensions) spacings.assign(dimensions, NAN);
  const auto is_known = [](double value) { return std::isfinite(value); };
  for (std::size_t i = 0; i < dimensions; ++i)
    if (!is_known(spacings[i])) spacings[i] = implied_spacing(fields, i, stored);
  const auto first = std::ranges::find_if(spacings, is_known);
  if (first == spacings.end()) {
    stored.note_of_size = "the file states no spacings: voxels of 1 mm";
    stored.notes.push_back(stored.note_of_size);
    return;
  }
  constexpr const char* names = "xyz";
  for (std::size_t i = 0; i < dimensions; ++i) {
    if (is_known(spacings[i]) && !(spacings[i] > 0))
      fields.fail_value("spacings", "give positive sizes");
    stored.spacing_mm[i] = unit * (is_known(spacings[i]) ? spacings[i] : *first);
    if (!is_known(spacings[i]))
      stored.notes.push_back("the file states no spacing along " + std::string(1, names[i]) +
                             ": it was taken as " + format_param(stored.spacing_mm[i]) +
                             " mm, that along " + names[first - spacings.begin()]);
  }
}

void read_directions(const Fields& fields, std::size_t dimensions, StoredVolume& stored) {
  const double unit = unit_mm(fields);
  const auto [turn_x, turn_y] = turn_to_lps(fields, stored);
  const auto vector = [&, x = turn_x, y = turn_y](const std::vector<double>& all, std::size_t i) {
    return Vec3{unit * x * all[3 * i], unit * y * all[3 * i + 1], unit * all[3 * i + 2]};
  };
  const std::vector<double> directions = fields.axis_numbers("space directions", 3 * dimensions),
                            origin = fields.numbers("space origin");
  const auto is_bad = [](double value) { return !std::isfinite(value); };
  if (!directions.empty()) {
    if (directions.size() != 3 * dimensions || std::ranges::any_of(directions, is_bad))
      fields.fail_value("space directions", "give a vector of three numbers for each axis");
    for (std::size_t i = 0; i < dimensions; ++i) {
      const Vec3 step = vector(directions, i);
      stored.spacing_mm[i] = norm(step);
      if (!(norm(step) > 0)) fields.fail_value("space directions", "give vectors that are not 0");
      stored.axes[i] = (1 / norm(step)) * step;
    }
  } else {
    stored.axes[0] = {turn_x, 0, 0};
    stored.axes[1] = {0, turn_y, 0};
    if (fields.has("space"))
      stored.notes.emplace_back(
          "the file states no space directions: its axes were taken as those of its space");
    read_spacings(fields, dimensions, unit, stored);
  }
  if (origin.size() == 3 && !std::ranges::any_of(origin, is_bad))
    stored.offset_mm = vector(origin, 0);
  else if (fields.has("space origin"))
    fields.fail_value("space origin", "give a vector of three numbers");
  else if (const auto least = least_positions(fields, dimensions, stored, unit);
           least && directions.empty())
    stored.offset_mm = Vec3{turn_x * least->x, turn_y * least->y, least->z};
}

/// Returns the position behind a number of lines of a file.
std::uintmax_t behind_lines(const std::string& path, std::uintmax_t start, double lines) {
  const ByteSource bytes = bytes_in({rest_of_file(path, start)});
  std::string block(1 << 16, '\0');
  while (lines > 0) {
    const std::size_t got = bytes(std::as_writable_bytes(std::span(block)));
    if (got == 0) break;
    for (std::size_t i = 0; i < got && lines > 0; ++i, ++start)
      if (block[i] == '\n') --lines;
  }
  return start;
}

/// Sets the part of a file in which `bytes` bytes of values lie (0: as many as there are).
void add_part(const Fields& fields, StoredVolume& stored, const std::string& file,
              std::uintmax_t start, std::uintmax_t bytes) {
  const std::vector<double> lines = fields.numbers("line skip"), skip = fields.numbers("byte skip");
  if (!lines.empty() && lines[0] > 0) start = behind_lines(file, start, lines[0]);
  FilePart part = rest_of_file(file, start);
  const double skipped = skip.empty() ? 0 : skip[0];
  if (!(skipped >= -1 && skipped < 9e15) ||
      (skipped == -1 && (bytes == 0 || stored.encoding != ValueEncoding::raw)))
    fields.fail_value("byte skip", "give a number of bytes, or -1 for raw values at the end");
  if (stored.encoding != ValueEncoding::raw) {
    stored.skipped_bytes = static_cast<std::uintmax_t>(skipped);
  } else {
    const std::uintmax_t at = skipped == -1
                                  ? part.bytes - std::min(part.bytes, bytes)
                                  : std::min(part.bytes, static_cast<std::uintmax_t>(skipped));
    part.start += at;
    part.bytes -= at;
  }
  stored.parts.push_back(std::move(part));
}

void read_place(const Fields& fields, StoredVolume& stored) {
  const std::string name = fields.text("data file");
  const std::uintmax_t bytes = voxels_of(stored) * bytes_of(stored.numbers.type);
  const std::string where = fields.path() + ": data file";
  if (name.empty()) return add_part(fields, stored, fields.path(), fields.bytes(), bytes);
  if (!names_slice_files(name)) {
    require_named_file(beside(fields.path(), name), where);
    return add_part(fields, stored, beside(fields.path(), name), 0, bytes);
  }
  const std::vector<std::string> files =
      slice_files(name, fields.path(), fields.bytes(), stored.size[2], where, stored.notes);
  if (stored.encoding != ValueEncoding::raw)
    fields.fail("data file", "spreads packed values or text over files",
                "store the volume in one file");
  for (const std::string& file : files) {
    add_part(fields, stored, file, 0, bytes / files.size());
    FilePart& part = stored.parts.back();
    // Bytes too many would be as many behind the slice or before it, which only a skip tells.
    if (part.bytes != bytes / files.size())
      throw InputError("holds " + std::to_string(part.bytes) + " bytes for a slice of " +
                           std::to_string(bytes / files.size()),
                       file,
                       part.bytes < bytes / files.size()
                           ? "the file is cut short, or sizes or type in the header are wrong"
                           : "correct sizes or type in the header, or state what to leave out "
                             "(byte skip; -1: all before the values)");
  }
}

}  // namespace

bool names_nrrd_data(std::string_view start) {
  const std::string header = lower_case(std::string(start.substr(0, start.find("\n\n"))));
  return header.find("\ndata file:") != std::string::npos ||
         header.find("\ndatafile:") != std::string::npos;
}

StoredVolume read_nrrd_header(const std::string& path) {
  const Fields fields(path);
  StoredVolume stored;
  stored.axes_field = "space directions";
  stored.offset_field = "space origin";
  stored.description = fields.description();
  const std::size_t dimensions = read_sizes(fields, stored);
  stored.encoding = read_encoding(fields);
  stored.numbers = read_type(fields);
  read_value_unit(fields, stored);
  if (stored.encoding != ValueEncoding::text && bytes_of(stored.numbers.type) > 1)
    fields.require("endian");
  read_directions(fields, dimensions, stored);
  read_place(fields, stored);
  return stored;
}

}  // namespace gantry
