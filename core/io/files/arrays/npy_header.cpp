#include "core/io/files/arrays/npy_header.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>

namespace gantry {

namespace {

constexpr std::size_t largest_text = std::size_t{1} << 16;

[[noreturn]] void refuse(const std::string& what, const std::string& where) {
  throw InputError(what, where, "write the array anew by numpy.save");
}

/// Reads bytes that must be there.
std::string taken(const ByteSource& bytes, std::size_t count, const std::string& where) {
  std::string text(count, '\0');
  if (bytes(std::as_writable_bytes(std::span(text))) < count)
    throw InputError("ends within the header of an array", where,
                     "the file is cut short; fetch it again");
  return text;
}

/// Returns what follows a key in the header, the text of a dictionary of Python.
std::string_view after_key(std::string_view dictionary, const std::string& key,
                           const std::string& where) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted = quote + key + quote;
    const std::size_t at = dictionary.find(quoted);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = dictionary.substr(at + quoted.size());
    const std::size_t colon = rest.find(':');
    if (colon != std::string_view::npos) return trimmed_blanks(rest.substr(colon + 1));
  }
  refuse("the header of the array has no \"" + key + "\"", where);
}

/// Returns the format that a text such as "'<f4'" stands for.
NumberFormat number_format(std::string_view text, const std::string& where) {
  const auto refuse_type = [&] {
    const std::string_view shown =
        text.substr(0, std::min<std::size_t>(text.find_first_of(",}"), 40));
    throw InputError("holds elements of the type " + std::string(shown), where,
                     "store whole numbers of 8 to 64 bits or floating-point numbers of 16 to 64");
  };
  if (text.size() < 5 || text[0] != text[4] || (text[0] != '\'' && text[0] != '"')) refuse_type();
  const auto bytes = static_cast<std::size_t>(text[3] - '0');
  const char kind = text[2];
  const std::optional<NumberType> type =
      kind == 'f'                  ? floating_type(bytes)
      : kind == 'b' && bytes == 1  ? NumberType::uint8  // a truth value
      : kind == 'i' || kind == 'u' ? whole_number_type(bytes, kind == 'i')
                                   : std::nullopt;
  if (!type || std::string_view("<>|=").find(text[1]) == std::string_view::npos) refuse_type();
  return {*type, text[1] == '>'};
}

std::vector<std::uint64_t> sizes_in(std::string_view text, const std::string& where) {
  const std::size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos)
    refuse("the header of the array states no shape", where);
  std::vector<std::uint64_t> sizes;
  for (const char *at = text.data() + 1, *last = text.data() + end; at != last;) {
    if (*at == ' ' || *at == ',' || *at == 'L') {  // Python 2 writes 5L
      ++at;
      continue;
    }
    std::uint64_t size = 0;
    const auto [next, error] = std::from_chars(at, last, size);
    if (error != std::errc{} || sizes.size() == 32)
      refuse("the shape " + std::string(text.substr(0, end + 1)) + " cannot be", where);
    sizes.push_back(size);
    at = next;
  }
  return sizes;
}

}  // namespace

NpyHeader read_npy_header(const ByteSource& bytes, const std::string& where) {
  const std::string start = taken(bytes, npy_magic.size() + 2, where);
  if (!start.starts_with(npy_magic)) refuse("is no array of NumPy", where);
  const int version = static_cast<unsigned char>(start[npy_magic.size()]);
  if (version < 1 || version > 3)
    refuse("is an array of NumPy of version " + std::to_string(version) + ", not 1 to 3", where);
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::string stated = taken(bytes, length_bytes, where);
  const std::uint64_t length = whole_number_in(std::as_bytes(std::span(stated)), false);
  if (length > largest_text) refuse("claims a header of " + format_bytes(length), where);
  const std::string text = taken(bytes, static_cast<std::size_t>(length), where);
  NpyHeader header;
  header.bytes = start.size() + length_bytes + length;
  header.numbers = number_format(after_key(text, "descr", where), where);
  header.size = sizes_in(after_key(text, "shape", where), where);
  header.first_axis_is_fastest = after_key(text, "fortran_order", where).starts_with("True");
  return header;
}

std::string npy_header_text(const std::vector<std::uint64_t>& size) {
  std::string shape;
  for (const std::uint64_t n : size) shape += std::to_string(n) + ", ";
  std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
  const std::size_t before = npy_magic.size() + 4, block = 64;
  text.append(block - (before + text.size() + 1) % block, ' ');
  text += '\n';
  std::string header(npy_magic);
  header +=
      {'\x01', '\0', static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  return header + text;
}

}  // namespace gantry
