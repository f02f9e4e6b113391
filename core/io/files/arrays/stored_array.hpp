#pragma once

#include "core/io/files/containers/listed_array.hpp"
#include "core/io/files/raw_numbers.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// An array of numbers in a file, of which parts are read when they are asked for.
struct StoredArray {
  std::string name;                    ///< within its file, "projections"; may be empty
  std::string where;                   ///< for messages: "scan.npz: projections"
  std::vector<std::uint64_t> size;     ///< elements along each axis
  bool first_axis_is_fastest = false;  ///< Fortran and MATLAB; else the last one, as in C
  /// Memory that reading may take is judged by this, the length of the file.
  std::uintmax_t file_bytes = 0;
  /// How attributes of the file make values of its numbers, "number x 0.001"; empty: not at all.
  /// The functions below return the values.
  std::string scaling;
  /// Reads numbers from index `first` on, in the order in which they are stored. Several threads
  /// may call it at once. Throws InputError.
  std::function<void(std::uint64_t first, std::span<float>)> read;
  /// Does the same in double precision, for lists.
  std::function<void(std::uint64_t first, std::span<double>)> read_doubles;
  /// Elements along each axis of the tiles in which the numbers are packed, where those that `read`
  /// reads one after the other lie in many tiles; empty: they do not.
  std::vector<std::uint64_t> tile;
  /// `read` keeps the tiles of an element of the slowest axis for the next one, and does not unpack
  /// them again.
  bool are_tiles_kept = false;
  /// Reads elements of an array in tiles, in the order of their axes, and unpacks the tiles that
  /// they lie in for this alone. Several threads may call it at once. Throws InputError.
  std::function<void(const ArrayBox& box, std::span<float>)> read_box;

  std::uint64_t count() const;  ///< of all elements
  /// Returns the distance of neighbours along an axis, in elements.
  std::uint64_t step(std::size_t axis) const;
  /// Returns the sizes as text, "91 x 135 x 160".
  std::string size_text() const;
};

/// The arrays in a file, and what of it was left out with the reason, a line each.
struct ArrayFile {
  std::vector<StoredArray> arrays;
  std::vector<std::string> left_out;
};

/// Sets the functions that read numbers: `bytes` returns a source of bytes that begins with number
/// `first`. Throws InputError where reading all numbers would take more memory than the length of
/// the file allows.
void read_array_from(StoredArray& array, NumberFormat numbers,
                     std::function<ByteSource(std::uint64_t first)> bytes);

/// Returns `count` elements of the slowest axis of an array from `first` on.
StoredArray part_of_slowest_axis(const StoredArray& array, std::uint64_t first,
                                 std::uint64_t count);

/// Returns all numbers of a short list. Throws InputError for a list of more than 10 million.
std::vector<double> numbers_of(const StoredArray& array);

/// Throws InputError where so many copies of all numbers, as float32, take more memory than the
/// file allows.
void require_memory_for(const StoredArray& array, std::size_t copies = 1);

}  // namespace gantry
