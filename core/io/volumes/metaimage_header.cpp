#include "core/io/volumes/metaimage_header.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/file_parts.hpp"
#include "core/io/files/foreign_file.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/files/text/length_units.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/volumes/slice_files.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <map>
#include <utility>

namespace gantry {

namespace {

constexpr std::size_t largest_header = std::size_t{1} << 20;

/// The fields of a header, as texts.
class Fields {
 public:
  explicit Fields(const std::string& path) : path_(path) {
    std::ifstream file = open_file(path);
    std::string text(
        static_cast<std::size_t>(std::min<std::uintmax_t>(length_of_file(path), largest_header)),
        '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    parse(text);
  }

  /// Returns the value of the first of these keys that the header has.
  std::optional<std::string> find(std::initializer_list<const char*> keys) {
    for (const char* key : keys)
      if (const auto found = fields_.find(key); found != fields_.end()) {
        last_key_ = key;
        return found->second;
      }
    return std::nullopt;
  }

  std::string require(const char* key) {
    last_key_ = key;
    if (auto value = find({key})) return *value;
    fail("is missing", "add it to the header");
  }

  bool flag(std::initializer_list<const char*> keys, bool fallback) {
    const auto value = find(keys);
    if (!value) return fallback;
    const std::string word = lower_case(*value);
    if (word == "true" || word == "t" || word == "1") return true;
    if (word == "false" || word == "f" || word == "0") return false;
    fail("is \"" + *value + "\"", "use True or False");
  }

  /// Returns the numbers in a text. Throws InputError unless all are finite and at least `count`.
  std::vector<double> numbers(const std::string& text, std::size_t count) const {
    std::vector<double> numbers;
    std::string_view rest = text;
    while (const std::optional<double> number = take_number(rest)) {
      if (!std::isfinite(*number)) fail("is \"" + text + "\"", "give numbers that are finite");
      numbers.push_back(*number);
    }
    if (!trimmed_blanks(rest).empty() || numbers.size() < count)
      fail("is \"" + text + "\"", "give " + std::to_string(count) + " numbers");
    return numbers;
  }

  double number(const std::string& text) const { return numbers(text, 1)[0]; }

  /// Throws InputError about the field that was last read.
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw InputError(what, path_ + ": " + last_key_, remedy);
  }

  std::size_t bytes() const { return bytes_; }  ///< length of the header

 private:
  /// Parses lines up to ElementDataFile, the last line of a header.
  void parse(const std::string& text) {
    const auto refuse = [this] {
      refuse_foreign_file(path_, "is not a MetaImage file",
                          "its header should be lines like \"NDims = 3\"");
    };
    while (!fields_.contains("ElementDataFile")) {
      const std::size_t end = std::min(text.find('\n', bytes_), text.size());
      const std::string_view line =
          trimmed_blanks(std::string_view(text).substr(bytes_, end - bytes_));
      const std::size_t equals = line.find('=');
      const bool odd =
          line.find('\0') != std::string::npos || (!line.empty() && equals == std::string::npos);
      // The data begin here: require() will report that ElementDataFile is missing.
      if (odd && fields_.contains("NDims")) return;
      if (odd) refuse();
      if (!line.empty()) {
        last_key_ = trimmed_blanks(line.substr(0, equals));
        const std::string value(trimmed_blanks(line.substr(equals + 1)));
        const auto [there, fresh] = fields_.emplace(last_key_, value);
        if (!fresh && there->second != value && last_key_ != "Comment")
          fail("is given twice", "remove one of them");
      }
      bytes_ = std::min(end + 1, text.size());
      if (end == text.size()) break;
    }
    if (fields_.empty()) refuse();
  }

  std::string path_, last_key_;
  std::map<std::string, std::string> fields_;
  std::size_t bytes_ = 0;
};

/// Returns the letters of the sides from which the axes run, as ITK writes them, of a world that
/// runs to left, posterior and superior: "RAI" for axes along it.
std::string sides_of(const MetaHeader& header) {
  std::string sides;
  for (const Vec3& axis : header.axes) {
    const double x = std::abs(axis.x), y = std::abs(axis.y), z = std::abs(axis.z);
    if (x >= y && x >= z)
      sides += axis.x > 0 ? 'R' : 'L';
    else if (y >= z)
      sides += axis.y > 0 ? 'A' : 'P';
    else
      sides += axis.z > 0 ? 'I' : 'S';
  }
  return sides;
}

/// Notes an orientation that the file calls unknown, or that is another one than its directions
/// have, which count.
void compare_orientation(Fields& fields, MetaHeader& header) {
  const auto stated = fields.find({"AnatomicalOrientation"});
  if (!stated) return;
  const std::string sides = sides_of(header);
  if (stated->find_first_not_of('?') == std::string::npos)
    header.notes.emplace_back(
        "the file calls its AnatomicalOrientation unknown: the orientation of a patient may be "
        "another one");
  else if (lower_case(*stated) != lower_case(sides))
    header.notes.push_back("the file contradicts itself: AnatomicalOrientation is " + *stated +
                           ", but its directions are " + sides + "; the directions were taken");
}

/// Returns the length in mm of the unit of lengths, which is mm where none is stated or known.
double unit_mm(Fields& fields, MetaHeader& header) {
  const auto stated = fields.find({"DistanceUnits"});
  if (!stated || stated->find_first_not_of('?') == std::string::npos) return 1;
  const double unit = length_unit_mm(*stated);
  if (unit == 0)
    header.notes.push_back("DistanceUnits is \"" + *stated +
                           "\", no unit that is known: lengths were taken as mm");
  return unit > 0 ? unit : 1;
}

void read_grid(Fields& fields, MetaHeader& header) {
  const double dimensions = fields.number(fields.require("NDims"));
  if (dimensions != 2 && dimensions != 3 && dimensions != 4)
    fields.fail("is " + fields.require("NDims"), "only 2 and 3 dimensions can be read");
  const auto stated = static_cast<std::size_t>(dimensions), n = std::min(stated, std::size_t{3});
  const std::vector<double> sizes = fields.numbers(fields.require("DimSize"), stated);
  if (stated > n && sizes[n] != 1)
    fields.fail("is \"" + fields.require("DimSize") + "\"",
                "a fourth dimension can be read with a single volume along it");
  for (std::size_t i = 0; i < n; ++i) {
    if (!(sizes[i] >= 1 && sizes[i] <= 65536) || sizes[i] != std::floor(sizes[i]))
      fields.fail("is \"" + fields.require("DimSize") + "\"", "give whole numbers from 1 to 65536");
    header.size[i] = static_cast<int>(sizes[i]);
  }
  const double unit = unit_mm(fields, header);
  const auto spacing = fields.find({"ElementSpacing", "ElementSize"});
  if (!spacing) {
    header.note_of_size = "the file gives no ElementSpacing: voxels of 1 mm";
    header.notes.push_back(header.note_of_size);
  }
  for (std::size_t i = 0; spacing && i < n; ++i) {
    header.spacing_mm[i] = unit * fields.numbers(*spacing, n)[i];
    if (header.spacing_mm[i] <= 0) fields.fail("is \"" + *spacing + "\"", "give positive sizes");
  }
  if (const auto offset = fields.find({"Offset", "Origin", "Position"})) {
    const std::vector<double> at = fields.numbers(*offset, n);
    header.offset_mm = unit * Vec3{at[0], at[1], n == 3 ? at[2] : 0};
  }
  if (const auto matrix = fields.find({"TransformMatrix", "Rotation", "Orientation"})) {
    // The matrix lists one axis after the other.
    const std::vector<double> m = fields.numbers(*matrix, stated * stated);
    for (std::size_t i = 0; i < n; ++i)
      header.axes[i] = {m[i * stated], m[i * stated + 1], n == 3 ? m[i * stated + 2] : 0};
  } else if (!fields.find({"AnatomicalOrientation"})) {
    header.notes.emplace_back(
        "the file states no orientation (TransformMatrix): its axes were taken as x, y and z");
  }
  compare_orientation(fields, header);
}

NumberType read_type(Fields& fields) {
  static const std::map<std::string, NumberType> types = {
      {"MET_CHAR", NumberType::int8},       {"MET_UCHAR", NumberType::uint8},
      {"MET_SHORT", NumberType::int16},     {"MET_USHORT", NumberType::uint16},
      {"MET_INT", NumberType::int32},       {"MET_UINT", NumberType::uint32},
      {"MET_LONG", NumberType::int32},      {"MET_ULONG", NumberType::uint32},
      {"MET_LONG_LONG", NumberType::int64}, {"MET_ULONG_LONG", NumberType::uint64},
      {"MET_FLOAT", NumberType::float32},   {"MET_DOUBLE", NumberType::float64}};
  const std::string word = fields.require("ElementType");
  const auto found = types.find(word);
  if (found == types.end())
    fields.fail("\"" + word + "\" is not known",
                "use one number per voxel, MET_CHAR to MET_DOUBLE");
  return found->second;
}

void read_encoding(Fields& fields, MetaHeader& header) {
  if (const auto type = fields.find({"ObjectType"}); type && lower_case(*type) != "image")
    fields.fail("is " + *type, "only images can be read");
  header.numbers.type = read_type(fields);
  header.numbers.big_endian = fields.flag({"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}, false);
  header.is_text = !fields.flag({"BinaryData"}, true);
  if (const auto channels = fields.find({"ElementNumberOfChannels"}))
    if (fields.number(*channels) != 1) fields.fail("is " + *channels, "use one number per voxel");
  // Numbers in text cannot be packed, so that CompressedData beside them says nothing.
  header.compressed = fields.flag({"CompressedData"}, false) && !header.is_text;
  if (const auto size = fields.find({"CompressedDataSize"}))
    if (const double bytes = fields.number(*size); bytes >= 1 && bytes < 9e15)
      header.compressed_bytes = static_cast<std::size_t>(bytes);
  for (const char* key : {"ElementToIntensityFunctionSlope", "ElementToIntensityFunctionOffset"})
    if (const auto text = fields.find({key}))
      if (fields.number(*text) != (std::string_view(key).ends_with("Slope") ? 1 : 0))
        header.notes.push_back(std::string(key) + " = " + *text + " was left out");
  header.comment = fields.find({"Comment"}).value_or("");
}

/// Reads the names of the files over which the slices are spread.
void read_data_files(Fields& fields, MetaHeader& header, const std::string& name,
                     const std::string& path) {
  header.data_files = slice_files(name, path, fields.bytes(), header.size[2],
                                  path + ": ElementDataFile", header.notes);
  if (header.compressed || header.is_text)
    fields.fail("spreads packed values or text over files", "store the volume in one file");
  header.data_file = header.data_files[0];
  if (header.data_files.size() == 1) header.data_files.clear();
}

void read_place(Fields& fields, MetaHeader& header, const std::string& path) {
  const auto skip = fields.find({"HeaderSize"});
  const double skipped = skip ? fields.number(*skip) : 0;
  if (skipped < -1 || skipped > 9e15 || skipped != std::floor(skipped))
    fields.fail("is " + *skip, "give a number of bytes, or -1 for data at the end");
  header.data_at_end = skipped == -1;
  if (header.data_at_end && header.compressed && !header.compressed_bytes)
    fields.fail("is -1 for compressed data", "give CompressedDataSize or the number of bytes");
  header.data_start = skipped > 0 ? static_cast<std::size_t>(skipped) : 0;
  const std::string name = fields.require("ElementDataFile");
  const bool local = lower_case(name) == "local";
  if (name.empty()) fields.fail("is empty", "name the data file, or LOCAL");
  if (names_slice_files(name)) return read_data_files(fields, header, name, path);
  header.data_file = local ? path : beside(path, name);
  if (local) header.header_end = fields.bytes();
  if (skipped <= 0) header.data_start = header.header_end;
}

void read_seal(Fields& fields, MetaHeader& header) {
  const auto crc = fields.find({seal_crc_key});
  if (!crc) return;
  const auto number = crc_from_text(*crc);
  if (!number) fields.fail("is \"" + *crc + "\"", "give eight hexadecimal digits, or remove it");
  const double bytes = fields.number(fields.require(seal_bytes_key));
  if (bytes < 0 || bytes > 9e15) fields.fail("is no length", "give the data file's bytes");
  header.seal = DataSeal{static_cast<std::uintmax_t>(bytes), *number};
}

}  // namespace

std::vector<std::string> data_files_of(const MetaHeader& header) {
  return header.data_files.empty() ? std::vector{header.data_file} : header.data_files;
}

MetaHeader read_meta_header(const std::string& path) {
  Fields fields(path);
  MetaHeader header;
  read_grid(fields, header);
  read_encoding(fields, header);
  read_place(fields, header, path);
  read_seal(fields, header);
  return header;
}

}  // namespace gantry
