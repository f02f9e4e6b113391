#pragma once

#include "core/io/files/containers/listed_array.hpp"
#include "core/io/files/raw_numbers.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// Where all numbers of a data set lie one after the other, as in a raw file.
struct Hdf5Piece {
  std::string file;  ///< another one where a link leads there
  std::uint64_t start = 0;
  bool big_endian = false;

  friend bool operator==(const Hdf5Piece&, const Hdf5Piece&) = default;
};

/// Where the only chunk of a data set lies, which holds all numbers, packed by deflate alone.
struct Hdf5PackedPiece {
  Hdf5Piece at;
  std::uint64_t bytes = 0;

  friend bool operator==(const Hdf5PackedPiece&, const Hdf5PackedPiece&) = default;
};

/// What the numbers of a data set stand for, as its attributes state it: value = factor x number +
/// addend. These are scale_factor and add_offset (the CF convention of netCDF), or scaling_factor
/// and offset (NeXus), or scale and offset of CIL's writer, which divides by them.
struct Hdf5Scaling {
  double factor = 1, addend = 0;
  std::string attributes;  ///< "scale_factor and add_offset"
  std::string fault;  ///< "its attribute scale_factor is no number"; empty: they can be applied

  /// Returns "number x 0.001 - 0.05".
  std::string formula() const;
  friend bool operator==(const Hdf5Scaling&, const Hdf5Scaling&) = default;
};

/// A data set of an HDF5 file, of the path "/entry1/instrument/detector/data".
struct Hdf5Dataset : ListedArray {
  static constexpr std::uint64_t most_numbers = 10'000'000;  ///< that are read at once, as a list

  /// Of the stored numbers; for those that this machine does not have, what libhdf5 makes of them.
  NumberType type = NumberType::float32;
  std::optional<Hdf5Piece> piece;  ///< nothing for numbers in chunks, packed or of another type
  /// Elements along each dimension of the chunks in which the numbers are packed; empty: they are
  /// not.
  std::vector<std::uint64_t> chunk;
  std::optional<Hdf5PackedPiece>
      packed_piece;                ///< nothing for numbers in several chunks, or others
  std::uint64_t stored_bytes = 0;  ///< in its file; 0: not known, as where other files hold them
  std::optional<Hdf5Scaling> scaling;  ///< nothing: the numbers are the values

  friend bool operator==(const Hdf5Dataset&, const Hdf5Dataset&) = default;
};

/// Returns how many bytes of unpacked chunks the reader of a file keeps at most, so that the next
/// frame need not unpack them again, for a data set of so many stored bytes.
double bytes_of_kept_chunks(std::uint64_t stored_bytes);

/// A further path of a data set or group, to which several links lead.
struct Hdf5Alias {
  std::string path;    ///< "/entry/data"
  std::string target;  ///< the path by which the listing knows it, "/entry/instrument/detector"

  friend bool operator==(const Hdf5Alias&, const Hdf5Alias&) = default;
};

/// What an HDF5 file holds.
struct Hdf5Listing {
  std::vector<Hdf5Dataset> datasets;  ///< those that links lead to, once each, in the file's order
  std::vector<Hdf5Alias> aliases;
  std::vector<std::string> dangling;  ///< links that lead nowhere: "/entry/data -> other.h5:/data"

  /// Returns the data set of a path, which may go through aliases; null if there is none.
  const Hdf5Dataset* find(const std::string& path) const;

  friend bool operator==(const Hdf5Listing&, const Hdf5Listing&) = default;
};

namespace wire {

/// pack() returns a listing as bytes. unpack_listing() returns what pack() was called with; it
/// throws InputError when pack() did not write the bytes.
std::string pack(const Hdf5Listing& listing);
Hdf5Listing unpack_listing(std::string_view bytes);

/// Elements of a data set that are asked for, with the path of that.
struct Hdf5Elements {
  std::string path;
  ArrayBox box;
};
/// Do the same with these.
std::string pack(const Hdf5Elements& elements);
Hdf5Elements unpack_elements(std::string_view bytes);

}  // namespace wire

}  // namespace gantry
