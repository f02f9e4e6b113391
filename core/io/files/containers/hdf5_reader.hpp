#pragma once

#include "core/io/files/containers/hdf5_listing.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// An HDF5 file that libhdf5 reads in this process: a damaged file that crashes the library crashes
/// the program. Functions throw InputError, which names the file and the data set; data sets are
/// those of the listing. Several threads may call them: the library is entered by one at a time.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::string& path);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  const Hdf5Listing& listing() const { return listing_; }

  /// Returns all values of a data set of numbers.
  std::vector<double> numbers(const Hdf5Dataset& dataset) const;
  /// Reads element `index` of the first dimension, with all elements of the others. The span has
  /// their number.
  void read_frame(const Hdf5Dataset& dataset, std::uint64_t index, std::span<float> values) const;
  /// Does the same, and leaves the numbers as dataset.type.
  void read_frame(const Hdf5Dataset& dataset, std::uint64_t index,
                  std::span<std::byte> numbers) const;
  /// Reads elements of a data set in chunks that are packed, as dataset.type. The chunks in which
  /// they lie are unpacked for this alone. The span has the elements' number.
  void read_box(const Hdf5Dataset& dataset, const ArrayBox& box,
                std::span<std::byte> numbers) const;
  /// Returns an attribute that is a text; nothing where there is none.
  std::optional<std::string> text_attribute(const std::string& object,
                                            const std::string& name) const;
  /// Returns an attribute that is a single finite number; nothing where there is none.
  std::optional<double> number_attribute(const std::string& object, const std::string& name) const;
  /// Returns a data set that is a text, or several of them, of which each becomes a line; nothing
  /// where it is something else.
  std::optional<std::string> text(const Hdf5Dataset& dataset) const;
  /// Returns whether a data set or a group has an attribute.
  bool has_attribute(const std::string& object, const std::string& name) const;

 private:
  void read_frame(const Hdf5Dataset& dataset, std::uint64_t index, std::int64_t type,
                  void* numbers) const;
  std::int64_t opened_dataset(const Hdf5Dataset& dataset, bool keeps_chunks) const;
  std::string path_;
  std::int64_t file_ = -1;                 // hid_t
  mutable std::int64_t last_opened_ = -1;  // hid_t; the data set that was read last
  mutable std::string last_path_;          // of that data set
  mutable bool last_keeps_chunks_ = false;
  Hdf5Listing listing_;
};

}  // namespace gantry
