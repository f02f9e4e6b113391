#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace gantry {

/// Kinds of numbers in raw files.
enum class NumberType {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64
};

std::size_t bytes_of(NumberType type);

struct NumberFormat {
  NumberType type = NumberType::float32;
  bool big_endian = false;
};

/// Fills the span with the next bytes; returns how many there were, less only at the end.
using ByteSource = std::function<std::size_t(std::span<std::byte>)>;

/// Reads numbers and turns them into float32; a float64 too large for that becomes infinite.
/// Returns how many there were before the source ended, at most out.size().
std::size_t read_numbers(const ByteSource& source, NumberFormat format, std::span<float> out);

/// Little-endian float32 bytes of `values`, block by block, to `sink`.
void write_numbers(std::span<const float> values,
                   const std::function<void(std::span<const std::byte>)>& sink);

/// float32 values that make no sense in any unit, but would with the bytes of each in reverse.
bool looks_swapped(std::span<const float> values);

/// Values that are not finite: how many, and where the first is.
struct BadValues {
  std::size_t count = 0, first = 0;
};
BadValues find_bad_values(std::span<const float> values);

/// "1 value is" or "12 values are" "not finite (NaN or infinite)", for messages.
std::string describe(const BadValues& bad);

}  // namespace gantry
