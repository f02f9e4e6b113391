#include "core/io/files/arrays/edf_file.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace gantry {

namespace {

constexpr std::size_t block_bytes = 512, largest_header = std::size_t{1} << 20;
constexpr std::uint64_t largest_dimension = 65535;

using Fields = std::map<std::string, std::string>;

/// Returns the text from `start` to the brace that closes a header, or as far as there is one.
std::string header_text(const std::string& path, std::uintmax_t start) {
  const ByteSource bytes = bytes_in({rest_of_file(path, start)});
  std::string text;
  while (text.size() < largest_header) {
    std::string block(block_bytes, '\0');
    block.resize(bytes(std::as_writable_bytes(std::span(block))));
    const std::size_t end = block.find('}');
    text += block.substr(0, end == std::string::npos ? end : end + 1);
    if (end != std::string::npos || block.size() < block_bytes) break;
  }
  return text;
}

bool begins_with_brace(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

/// Returns the fields in a header, with keys in lower case.
Fields fields_in(std::string_view text) {
  Fields fields;
  text.remove_prefix(text.find('{') + 1);
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(";}");
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    while (!line.empty() && (line.front() == '\n' || line.front() == '\r')) line.remove_prefix(1);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    fields[lower_case(std::string(trimmed_blanks(line.substr(0, equals))))] =
        trimmed_blanks(line.substr(equals + 1));
  }
  return fields;
}

/// Returns a size that a header states; nothing where it does not.
std::optional<std::uint64_t> stated_size(const Fields& fields, const std::string& key,
                                         const std::string& path) {
  const auto found = fields.find(lower_case(key));
  if (found == fields.end()) return std::nullopt;
  const std::string& text = found->second;
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || rest != text.data() + text.size())
    throw InputError(
        "is \"" + text.substr(0, 40) + "\", which cannot be the size of a frame or its header",
        path + ": " + key, "correct the header");
  return number;
}

NumberFormat number_format(const Fields& fields, const std::string& path) {
  static const std::map<std::string, NumberType> types = {
      {"signedbyte", NumberType::int8},     {"unsignedbyte", NumberType::uint8},
      {"signedshort", NumberType::int16},   {"unsignedshort", NumberType::uint16},
      {"signedinteger", NumberType::int32}, {"unsignedinteger", NumberType::uint32},
      {"signedlong", NumberType::int32},    {"unsignedlong", NumberType::uint32},
      {"signed64", NumberType::int64},      {"unsigned64", NumberType::uint64},
      {"float", NumberType::float32},       {"floatvalue", NumberType::float32},
      {"floatieee32", NumberType::float32}, {"real", NumberType::float32},
      {"double", NumberType::float64},      {"doublevalue", NumberType::float64},
      {"doubleieee64", NumberType::float64}};
  const auto text = [&](const char* key) {
    const auto found = fields.find(key);
    return found == fields.end() ? std::string() : found->second;
  };
  const auto type = types.find(lower_case(text("datatype")));
  if (type == types.end())
    throw InputError("is \"" + text("datatype") + "\"", path + ": DataType",
                     "use a type such as UnsignedShort or FloatValue");
  if (const std::string packed = lower_case(text("compression"));
      !packed.empty() && packed != "none" && packed != "nocompression")
    throw InputError("is \"" + packed + "\"", path + ": Compression", "store the file unpacked");
  const std::string order = lower_case(text("byteorder"));
  if (order != "lowbytefirst" && order != "highbytefirst" && bytes_of(type->second) > 1)
    throw InputError("is \"" + order + "\"", path + ": ByteOrder",
                     "use LowByteFirst or HighByteFirst");
  return {type->second, order == "highbytefirst"};
}

/// Returns the frame of a header whose data begin at `start`.
EdfFrame frame_of(Fields fields, const std::string& path, std::uintmax_t start,
                  std::uintmax_t length) {
  EdfFrame frame;
  const auto stated = [&](const char* key) { return stated_size(fields, key, path); };
  const std::uint64_t columns = stated("Dim_1").value_or(0), rows = stated("Dim_2").value_or(1);
  if (columns < 1 || columns > largest_dimension || rows < 1 || rows > largest_dimension ||
      stated("Dim_3").value_or(1) != 1)
    throw InputError("Dim_1, Dim_2 and Dim_3 cannot be the size of a frame", path,
                     "frames have 1 to 65535 columns and rows");
  frame.columns = static_cast<int>(columns);
  frame.rows = static_cast<int>(rows);
  frame.numbers = number_format(fields, path);
  const std::uint64_t bytes = columns * rows * bytes_of(frame.numbers.type);
  if (const auto size = stated("Size"); size && *size != bytes)
    throw InputError("says " + std::to_string(*size) + " bytes, Dim_1, Dim_2 and DataType " +
                         std::to_string(bytes),
                     path + ": Size", "correct the header");
  if (start > length || length - start < bytes)
    throw InputError("holds " + std::to_string(length - std::min(start, length)) + " of " +
                         std::to_string(bytes) + " bytes of a frame",
                     path, "the file is cut short; fetch it again");
  frame.data = {path, start, bytes};
  frame.fields = std::move(fields);
  return frame;
}

}  // namespace

std::vector<EdfFrame> read_edf_headers(const std::string& path) {
  const std::uintmax_t length = length_of_file(path);
  std::vector<EdfFrame> frames;
  for (std::uintmax_t at = 0; at < length;) {
    const std::string text = header_text(path, at);
    if (!begins_with_brace(text)) break;  // bytes behind the last frame
    if (!text.ends_with('}'))
      throw InputError("holds a header that does not end", path,
                       "the file is cut short or no EDF file; fetch it again");
    Fields fields = fields_in(text);
    const std::uintmax_t header =
        stated_size(fields, "EDF_HeaderSize", path)
            .value_or((text.size() + 1 + block_bytes - 1) / block_bytes * block_bytes);
    if (header < text.size() || header > largest_header)
      throw InputError("is " + std::to_string(header), path + ": EDF_HeaderSize",
                       "correct the header");
    at += header;
    // Binary data may be padded, and a block of general fields alone may have some.
    std::uintmax_t binary = stated_size(fields, "EDF_BinarySize", path).value_or(0);
    if (fields.contains("dim_1")) {
      frames.push_back(frame_of(std::move(fields), path, at, length));
      binary = std::max<std::uintmax_t>(binary, frames.back().data.bytes);
    }
    at += std::min(binary, length);
  }
  if (frames.empty())
    throw InputError("holds no frame in ESRF's data format", path, "fetch it again");
  return frames;
}

void read_edf_frame(const EdfFrame& frame, std::span<float> values) {
  if (read_numbers(bytes_in({frame.data}), frame.numbers, values) < values.size())
    throw InputError("ends within a frame", frame.data.path,
                     "the file is cut short; fetch it again");
}

bool begins_edf(std::string_view start) {
  if (!begins_with_brace(start)) return false;
  const std::string_view line = trimmed_blanks(start.substr(start.find('{') + 1, 200));
  const std::size_t equals = line.find('=');  // JSON has none before its first colon
  return equals != std::string_view::npos && equals < line.find_first_of(":\"");
}

}  // namespace gantry
