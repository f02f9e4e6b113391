#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace gantry {

/// Types of the numbers in raw files.
enum class NumberType {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,  ///< IEEE 754 binary16
  float32,
  float64
};

/// Returns the size of a number in bytes.
std::size_t bytes_of(NumberType type);

struct NumberFormat {
  NumberType type = NumberType::float32;
  bool big_endian = false;
};

/// Fills the span with the next bytes. Returns their number, which is smaller than the span only at
/// the end.
using ByteSource = std::function<std::size_t(std::span<std::byte>)>;

/// Passes over the next bytes of a source. Returns whether there were as many.
bool skip_bytes(const ByteSource& source, std::uintmax_t count);

/// Returns the whole number in at most eight bytes, of which the first is the highest if `is_big`.
std::uint64_t whole_number_in(std::span<const std::byte> bytes, bool is_big);

/// Return the type of whole numbers, or of floating-point numbers, with this many bytes; nothing
/// where there is none.
std::optional<NumberType> whole_number_type(std::size_t bytes, bool is_signed);
std::optional<NumberType> floating_type(std::size_t bytes);

/// Reads numbers and converts them to float32, or to float64; a float64 that is too large for
/// float32 becomes infinite. Returns how many numbers the source delivered, at most out.size().
std::size_t read_numbers(const ByteSource& source, NumberFormat format, std::span<float> out);
std::size_t read_numbers(const ByteSource& source, NumberFormat format, std::span<double> out);

/// Passes `values` to `sink` as bytes of little-endian float32, in one or several blocks.
void write_numbers(std::span<const float> values,
                   const std::function<void(std::span<const std::byte>)>& sink);

/// Returns whether float32 values seem to have the wrong byte order: more than 5 % of the values
/// make no sense in any unit (are not 0, and not from 1e-9 to 1e6), but at most 1 % of the values
/// with their bytes reversed.
bool looks_swapped(std::span<const float> values);

/// Number of values that are not finite, and index of the first one.
struct BadValues {
  std::size_t count = 0, first = 0;
};
BadValues find_bad_values(std::span<const float> values);

/// Returns "1 value is not finite (NaN or infinite)", "12 values are not ...", for messages.
std::string describe(const BadValues& bad);

}  // namespace gantry
