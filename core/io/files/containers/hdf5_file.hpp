#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// A data set of an HDF5 file.
struct Hdf5Dataset {
  std::string path;                 ///< "/entry1/instrument/detector/data"
  std::vector<std::uint64_t> size;  ///< elements along each dimension; empty: a single value
  bool is_number = false;
  std::uint64_t stored_bytes = 0;  ///< in its file; 0: not known, as where other files hold them

  /// Returns the last part of the path, "data".
  std::string name() const { return path.substr(path.rfind('/') + 1); }
};

/// An HDF5 file that is open for reading. Functions throw InputError, which names the file and the
/// data set. Several threads may call them: the library is entered by one at a time.
class Hdf5File {
 public:
  explicit Hdf5File(const std::string& path);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  const std::string& path() const { return path_; }
  /// The data sets that can be reached from the root, each once, in the order of the file.
  const std::vector<Hdf5Dataset>& datasets() const { return datasets_; }
  /// The links that lead nowhere: "/entry/data -> other.h5:/data".
  const std::vector<std::string>& dangling() const { return dangling_; }
  const Hdf5Dataset* find(const std::string& path) const;

  /// Returns all values of a data set of numbers.
  std::vector<double> numbers(const Hdf5Dataset& dataset) const;
  /// Reads element `index` of the first dimension, with all elements of the others. The span has
  /// their number.
  void read_frame(const Hdf5Dataset& dataset, std::uint64_t index, std::span<float> values) const;
  /// Returns an attribute that is a text; nothing where there is none.
  std::optional<std::string> text_attribute(const Hdf5Dataset& dataset, const char* name) const;
  /// Returns a data set that is a single text; nothing where it is something else.
  std::optional<std::string> text(const Hdf5Dataset& dataset) const;
  /// Returns whether a data set or a group has an attribute.
  bool has_attribute(const std::string& object, const char* name) const;

 private:
  void list();
  std::string path_;
  std::int64_t file_ = -1;  // hid_t
  std::vector<Hdf5Dataset> datasets_;
  std::vector<std::string> dangling_;
};

}  // namespace gantry
