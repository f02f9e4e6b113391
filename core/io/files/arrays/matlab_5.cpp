// MAT-files of version 5 (MathWorks, "MAT-File Format"): elements, each with a tag of its type and
// length. A matrix holds its flags, sizes, name and numbers as elements, a structure a matrix for
// each field, and a packed element another one.
#include "core/io/files/arrays/matlab_5.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_parts.hpp"
#include "core/io/files/inflated_bytes.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace gantry {

namespace {

constexpr std::uint32_t matrix_element = 14, packed_element = 15;
constexpr std::uint32_t cell_class = 1, struct_class = 2, char_class = 4, sparse_class = 5,
                        double_class = 6, uint64_class = 15, opaque_class = 17;
constexpr std::size_t file_header_bytes = 128, most_fields = 10000, largest_text = 1 << 20;
constexpr int deepest = 16;

/// The bytes of a file, or those that an element of it unpacks to, read from front to back.
class Reader {
 public:
  /// `can_jump`: opening at a later position costs nothing.
  Reader(OpenBytes open, std::uint64_t at, bool is_big, bool can_jump, std::string where)
      : open_(std::move(open)),
        bytes_(open_(at)),
        at_(at),
        is_big_(is_big),
        can_jump_(can_jump),
        where_(std::move(where)) {}

  std::uint64_t at() const { return at_; }
  bool is_big() const { return is_big_; }
  const std::string& where() const { return where_; }
  const OpenBytes& open() const { return open_; }

  [[noreturn]] void fail() const {
    throw InputError("ends within an array, or is damaged", where_,
                     "the file is cut short; fetch it again");
  }
  void read(std::span<std::byte> out) {
    if (bytes_(out) < out.size()) fail();
    at_ += out.size();
  }
  /// Reads as many bytes as there are; returns their number.
  std::size_t read_some(std::span<std::byte> out) {
    const std::size_t got = bytes_(out);
    at_ += got;
    return got;
  }
  void skip_to(std::uint64_t target) {
    if (target < at_) fail();
    if (target == at_) return;
    if (can_jump_) {
      bytes_ = open_(target);
      at_ = target;
    }
    if (!skip_bytes(bytes_, target - at_)) fail();
    at_ = target;
  }
  std::uint32_t number() {
    std::array<std::byte, 4> bytes{};
    read(bytes);
    return number_in(bytes);
  }
  std::uint32_t number_in(std::span<const std::byte> bytes) const {
    return static_cast<std::uint32_t>(whole_number_in(bytes, is_big_));
  }

 private:
  OpenBytes open_;
  ByteSource bytes_;
  std::uint64_t at_;
  bool is_big_, can_jump_;
  std::string where_;
};

/// The tag of an element, and where its data begin and the next element does.
struct Tag {
  std::uint32_t type = 0;
  std::uint64_t bytes = 0, data = 0, next = 0;
};

Tag tag_after(Reader& reader, std::uint32_t first) {
  Tag tag;
  if (const std::uint32_t small_bytes = first >> 16; small_bytes != 0) {
    // Up to four bytes of data stand in the tag itself.
    if (small_bytes > 4) reader.fail();
    tag = {first & 0xFFFF, small_bytes, reader.at(), reader.at() + 4};
    return tag;
  }
  tag.type = first;
  tag.bytes = reader.number();
  tag.data = reader.at();
  tag.next = tag.data + (tag.bytes + 7) / 8 * 8;
  return tag;
}
Tag read_tag(Reader& reader) { return tag_after(reader, reader.number()); }

/// Reads the data of a short element.
std::vector<std::byte> short_element(Reader& reader) {
  const Tag tag = read_tag(reader);
  if (tag.bytes > largest_text) reader.fail();
  std::vector<std::byte> bytes(static_cast<std::size_t>(tag.bytes));
  reader.read(bytes);
  reader.skip_to(tag.next);
  return bytes;
}

std::string short_text(Reader& reader) {
  const std::vector<std::byte> bytes = short_element(reader);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.find('\0'));
}

std::vector<std::uint32_t> short_numbers(Reader& reader) {
  const std::vector<std::byte> bytes = short_element(reader);
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4)
    numbers.push_back(reader.number_in(std::span(bytes).subspan(i, 4)));
  return numbers;
}

std::optional<NumberType> number_type(std::uint32_t element) {
  static const std::map<std::uint32_t, NumberType> types = {
      {1, NumberType::int8},    {2, NumberType::uint8},   {3, NumberType::int16},
      {4, NumberType::uint16},  {5, NumberType::int32},   {6, NumberType::uint32},
      {7, NumberType::float32}, {9, NumberType::float64}, {12, NumberType::int64},
      {13, NumberType::uint64}};
  const auto found = types.find(element);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

/// What is found on the way through a file.
struct Walk {
  ArrayFile& file;
  const std::string& path;
  std::uintmax_t stored_bytes;  ///< of the element in which the arrays lie
};

void read_matrix(Walk& walk, Reader& reader, const Tag& tag, const std::string& field, int depth);

/// Adds the numbers of an array, which its next element holds.
void add_numbers(Walk& walk, Reader& reader, StoredArray array) {
  const Tag numbers = read_tag(reader);
  const std::optional<NumberType> type = number_type(numbers.type);
  if (!type || array.count() == 0) return;
  if (numbers.bytes / bytes_of(*type) != array.count()) reader.fail();
  const NumberFormat format{*type, reader.is_big()};
  const auto bytes_from = [open = reader.open(), at = numbers.data, size = bytes_of(*type)](
                              std::uint64_t first) { return open(at + first * size); };
  read_array_from(array, format, bytes_from);
  reader.skip_to(numbers.next);  // the end of packed numbers is found here, if it is missing
  walk.file.arrays.push_back(std::move(array));
}

/// Reads the fields of a single structure.
void add_fields(Walk& walk, Reader& reader, const std::string& name, int depth) {
  const std::vector<std::uint32_t> length = short_numbers(reader);
  const std::vector<std::byte> names = short_element(reader);
  if (length.size() != 1 || length[0] == 0 || names.size() / length[0] > most_fields) reader.fail();
  for (std::size_t at = 0; at + length[0] <= names.size(); at += length[0]) {
    const std::string text(reinterpret_cast<const char*>(names.data() + at), length[0]);
    const Tag field = read_tag(reader);
    if (field.type != matrix_element) reader.fail();
    read_matrix(walk, reader, field, name + "/" + text.substr(0, text.find('\0')), depth + 1);
    reader.skip_to(field.next);
  }
}

/// Returns what a matrix that holds no array of real numbers is, " (cells)"; nothing for texts,
/// which stand beside the numbers of every scan.
std::string what_it_is(std::uint32_t kind, bool is_complex) {
  if (kind == char_class) return {};
  if (kind == sparse_class) return " (a sparse array)";
  if (is_complex) return " (complex numbers)";
  if (kind == cell_class) return " (cells)";
  return kind == struct_class ? " (an array of structures)" : " (an object or a function)";
}

void leave_out(Walk& walk, const std::string& name, const std::string& what) {
  if (!what.empty()) walk.file.left_out.push_back(name + what + " was left out");
}

/// Reads an object, as texts, tables and dates of newer versions are. It has no sizes; its name,
/// the system of its type and its class follow the flags.
void read_object(Walk& walk, Reader& reader, const std::string& field) {
  const std::string own_name = short_text(reader);
  short_text(reader);
  const std::string type = short_text(reader);
  leave_out(walk, field.empty() ? own_name : field, " (an object of the class " + type + ")");
}

/// Reads a matrix whose tag was read: a field of a structure, or one with a name of its own.
void read_matrix(Walk& walk, Reader& reader, const Tag& tag, const std::string& field, int depth) {
  if (tag.bytes == 0) return;  // []
  if (depth > deepest) reader.fail();
  const std::vector<std::uint32_t> flags = short_numbers(reader);
  if (flags.size() != 2) reader.fail();
  const std::uint32_t kind = flags[0] & 255;
  const bool is_complex = (flags[0] & 0x800) != 0;
  if (kind == opaque_class) return read_object(walk, reader, field);
  const std::vector<std::uint32_t> sizes = short_numbers(reader);
  const std::string own_name = short_text(reader);
  if (sizes.empty() || sizes.size() > 32) reader.fail();
  if (field.empty() && own_name.empty()) return;  // what objects consist of, which is no variable
  StoredArray array;
  array.name = field.empty() ? own_name : field;
  array.where = walk.path + ": " + array.name;
  array.size.assign(sizes.begin(), sizes.end());
  array.first_axis_is_fastest = true;
  array.file_bytes = walk.stored_bytes;
  if (kind == struct_class && array.count() == 1)
    return add_fields(walk, reader, array.name, depth);
  if (kind >= double_class && kind <= uint64_class && !is_complex)
    return add_numbers(walk, reader, std::move(array));
  leave_out(walk, array.name, what_it_is(kind, is_complex));
}

/// Reads a packed element, which holds a matrix.
void read_packed(const Tag& tag, const std::string& path, bool is_big, ArrayFile& file) {
  const InflatedBytes unpacked({{path, tag.data, tag.bytes}}, path);
  Reader reader([unpacked](std::uint64_t at) { return unpacked.from(at); }, 0, is_big, false, path);
  Walk walk{file, path, tag.bytes};
  const Tag inner = read_tag(reader);
  if (inner.type == matrix_element) read_matrix(walk, reader, inner, {}, 0);
  unpacked.release_pieces();
}

}  // namespace

ArrayFile open_matlab_5(const std::string& path) {
  const FilePart whole = rest_of_file(path);
  const OpenBytes open = [whole](std::uint64_t at) { return bytes_in({whole}, at); };
  ArrayFile file;
  std::array<std::byte, file_header_bytes> header{};
  if (open(0)(header) < header.size())
    throw InputError("ends within its header", path, "the file is cut short; fetch it again");
  const bool is_big = header[126] == std::byte{'M'};
  Reader reader(open, file_header_bytes, is_big, true, path);
  while (reader.at() < whole.bytes) {
    std::array<std::byte, 4> first{};
    if (reader.read_some(first) < first.size()) reader.fail();
    const Tag tag = tag_after(reader, reader.number_in(first));
    if (tag.bytes > whole.bytes - std::min<std::uint64_t>(whole.bytes, tag.data)) reader.fail();
    Walk walk{file, path, tag.bytes};
    if (tag.type == packed_element)
      read_packed(tag, path, is_big, file);
    else if (tag.type == matrix_element)
      read_matrix(walk, reader, tag, {}, 0);
    // Packed elements are not padded.
    const std::uint64_t next = tag.type == packed_element ? tag.data + tag.bytes : tag.next;
    if (next >= whole.bytes) break;
    reader.skip_to(next);
  }
  return file;
}

}  // namespace gantry
