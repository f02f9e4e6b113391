#include "core/io/files/arrays/stored_array.hpp"

#include "core/base/error.hpp"
#include "core/io/files/memory_allowance.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gantry {

namespace {

template <class Number>
void read_all(const ByteSource& bytes, NumberFormat numbers, std::span<Number> values,
              std::uint64_t first, const std::string& where) {
  const std::size_t got = read_numbers(bytes, numbers, values);
  if (got < values.size())
    throw InputError("ends after " + std::to_string(first + got) + " numbers", where,
                     "the file is cut short; fetch it again");
}

}  // namespace

std::uint64_t StoredArray::count() const {
  // Sizes of damaged files may overflow; so large a number is beyond any memory, too.
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 64;
  std::uint64_t count = 1;
  for (const std::uint64_t n : size) {
    if (n == 0) return 0;
    count = count > most / n ? most : count * n;
  }
  return count;
}

std::uint64_t StoredArray::step(std::size_t axis) const {
  std::uint64_t step = 1;
  for (std::size_t i = 0; i < size.size(); ++i)
    if (first_axis_is_fastest ? i < axis : i > axis) step *= size[i];
  return step;
}

std::string StoredArray::size_text() const {
  std::string text;
  for (const std::uint64_t n : size) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text.empty() ? "a single number" : text;
}

void require_memory_for(const StoredArray& array, std::size_t copies) {
  require_allowed_memory("claims " + std::to_string(array.count()) + " numbers",
                         copies * array.count() * sizeof(float), array.file_bytes, array.where);
}

void read_array_from(StoredArray& array, NumberFormat numbers,
                     std::function<ByteSource(std::uint64_t first)> bytes) {
  require_memory_for(array);
  const auto reads = [where = array.where, numbers, open = std::move(bytes)](std::uint64_t first,
                                                                             auto values) {
    read_all(open(first), numbers, values, first, where);
  };
  array.read = [reads](std::uint64_t first, std::span<float> values) { reads(first, values); };
  array.read_doubles = [reads](std::uint64_t first, std::span<double> values) {
    reads(first, values);
  };
}

StoredArray part_of_slowest_axis(const StoredArray& array, std::uint64_t first,
                                 std::uint64_t count) {
  const std::size_t axis = array.first_axis_is_fastest ? array.size.size() - 1 : 0;
  const std::uint64_t before = first * array.step(axis);
  StoredArray part = array;
  part.size[axis] = count;
  part.read = [read = array.read, before](std::uint64_t from, std::span<float> values) {
    read(before + from, values);
  };
  part.read_doubles = [read = array.read_doubles, before](std::uint64_t from,
                                                          std::span<double> values) {
    read(before + from, values);
  };
  if (array.read_box)
    part.read_box = [read = array.read_box, axis, first](ArrayBox box, std::span<float> values) {
      box[axis].first += first;
      read(box, values);
    };
  return part;
}

std::vector<double> numbers_of(const StoredArray& array) {
  constexpr std::uint64_t most = 10'000'000;
  if (array.count() > most)
    throw InputError("is no list: it holds " + array.size_text() + " numbers", array.where,
                     "give a list of at most 10 million");
  std::vector<double> values(static_cast<std::size_t>(array.count()));
  array.read_doubles(0, values);
  return values;
}

}  // namespace gantry
