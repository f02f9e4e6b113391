#include "core/io/files/raw_numbers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr bool host_is_big = std::endian::native == std::endian::big;

/// A float16 as it lies in a file. Compilers of C++20 need not have such a type.
struct Half {
  std::uint16_t bits;

  explicit operator float() const {
    constexpr int fraction_bits = 10, exponent_bias = 15, infinite = 31;
    const int exponent = bits >> fraction_bits & 31, fraction = bits & 1023;
    const float size = exponent == infinite ? (fraction == 0 ? INFINITY : NAN)
                       : exponent == 0      ? std::ldexp(static_cast<float>(fraction), -24)
                                            : std::ldexp(static_cast<float>(fraction + 1024),
                                                         exponent - exponent_bias - fraction_bits);
    return (bits & 0x8000) != 0 ? -size : size;
  }
  explicit operator double() const { return static_cast<float>(*this); }
};

template <class Out>
using Convert = void (*)(std::span<std::byte>, bool, Out*);

template <class T, class Out>
void convert(std::span<std::byte> bytes, bool swap, Out* out) {
  for (std::size_t i = 0; i * sizeof(T) < bytes.size(); ++i) {
    std::byte* first = bytes.data() + i * sizeof(T);
    if (swap) std::reverse(first, first + sizeof(T));
    T number;
    std::memcpy(&number, first, sizeof(T));
    out[i] = static_cast<Out>(number);
  }
}

template <class Out>
Convert<Out> converter(NumberType type) {
  switch (type) {
    case NumberType::int8:
      return convert<std::int8_t, Out>;
    case NumberType::uint8:
      return convert<std::uint8_t, Out>;
    case NumberType::int16:
      return convert<std::int16_t, Out>;
    case NumberType::uint16:
      return convert<std::uint16_t, Out>;
    case NumberType::int32:
      return convert<std::int32_t, Out>;
    case NumberType::uint32:
      return convert<std::uint32_t, Out>;
    case NumberType::int64:
      return convert<std::int64_t, Out>;
    case NumberType::uint64:
      return convert<std::uint64_t, Out>;
    case NumberType::float16:
      return convert<Half, Out>;
    case NumberType::float32:
      return convert<float, Out>;
    case NumberType::float64:
      return convert<double, Out>;
  }
  return convert<float, Out>;
}

template <class Out>
std::size_t read_as(const ByteSource& source, NumberFormat format, std::span<Out> out) {
  const std::size_t size = bytes_of(format.type);
  const Convert<Out> convert_block = converter<Out>(format.type);
  std::vector<std::byte> block(std::min(block_bytes, out.size() * size));
  std::size_t done = 0;
  while (done < out.size()) {
    const std::size_t wanted = std::min(block.size() / size, out.size() - done);
    const std::size_t got = source(std::span(block).first(wanted * size)) / size;
    convert_block(std::span(block).first(got * size), format.big_endian != host_is_big,
                  out.data() + done);
    done += got;
    if (got < wanted) break;
  }
  return done;
}

}  // namespace

bool skip_bytes(const ByteSource& source, std::uintmax_t count) {
  std::vector<std::byte> passed(
      static_cast<std::size_t>(std::min<std::uintmax_t>(count, std::size_t{1} << 16)));
  while (count > 0) {
    const std::size_t got = source(std::span(passed).first(
        static_cast<std::size_t>(std::min<std::uintmax_t>(count, passed.size()))));
    if (got == 0) return false;
    count -= got;
  }
  return true;
}

std::uint64_t whole_number_in(std::span<const std::byte> bytes, bool is_big) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    number = number << 8 | std::to_integer<std::uint64_t>(bytes[is_big ? i : bytes.size() - 1 - i]);
  return number;
}

std::size_t bytes_of(NumberType type) {
  switch (type) {
    case NumberType::int8:
    case NumberType::uint8:
      return 1;
    case NumberType::int16:
    case NumberType::uint16:
    case NumberType::float16:
      return 2;
    case NumberType::int32:
    case NumberType::uint32:
    case NumberType::float32:
      return 4;
    default:
      return 8;
  }
}

std::optional<NumberType> whole_number_type(std::size_t bytes, bool is_signed) {
  switch (bytes) {
    case 1:
      return is_signed ? NumberType::int8 : NumberType::uint8;
    case 2:
      return is_signed ? NumberType::int16 : NumberType::uint16;
    case 4:
      return is_signed ? NumberType::int32 : NumberType::uint32;
    case 8:
      return is_signed ? NumberType::int64 : NumberType::uint64;
    default:
      return std::nullopt;
  }
}

std::optional<NumberType> floating_type(std::size_t bytes) {
  switch (bytes) {
    case 2:
      return NumberType::float16;
    case 4:
      return NumberType::float32;
    case 8:
      return NumberType::float64;
    default:
      return std::nullopt;
  }
}

std::size_t read_numbers(const ByteSource& source, NumberFormat format, std::span<float> out) {
  return read_as(source, format, out);
}

std::size_t read_numbers(const ByteSource& source, NumberFormat format, std::span<double> out) {
  return read_as(source, format, out);
}

void write_numbers(std::span<const float> values,
                   const std::function<void(std::span<const std::byte>)>& sink) {
  if (!host_is_big) return sink(std::as_bytes(values));
  std::vector<std::byte> block;
  for (std::size_t first = 0; first < values.size(); first += block_bytes) {
    const auto part =
        std::as_bytes(values.subspan(first, std::min(block_bytes, values.size() - first)));
    block.assign(part.begin(), part.end());
    for (std::size_t i = 0; i < block.size(); i += sizeof(float))
      std::reverse(block.data() + i, block.data() + i + sizeof(float));
    sink(block);
  }
}

bool looks_swapped(std::span<const float> values) {
  const auto odd = [](float value) {
    const float size = std::abs(value);
    return size != 0 && !(size >= 1e-9F && size <= 1e6F);
  };
  std::size_t odd_as_read = 0, odd_swapped = 0;
  for (const float value : values) {
    odd_as_read += odd(value) ? 1 : 0;
    auto bytes = std::bit_cast<std::array<std::byte, sizeof(float)>>(value);
    std::reverse(bytes.begin(), bytes.end());
    odd_swapped += odd(std::bit_cast<float>(bytes)) ? 1 : 0;
  }
  return odd_as_read > values.size() / 20 && odd_swapped <= values.size() / 100;
}

BadValues find_bad_values(std::span<const float> values) {
  BadValues bad;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]) && bad.count++ == 0) bad.first = i;
  return bad;
}

std::string describe(const BadValues& bad) {
  return std::to_string(bad.count) + (bad.count == 1 ? " value is" : " values are") +
         " not finite (NaN or infinite)";
}

}  // namespace gantry
