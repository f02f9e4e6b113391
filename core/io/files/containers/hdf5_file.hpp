#pragma once

#include "core/base/interrupt.hpp"
#include "core/io/files/containers/hdf5_listing.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// An HDF5 file that is open for reading, in a process of its own (gantry-decoder), since libhdf5
/// crashes on some damaged files, goes on for ever or takes all memory. The file is read in this
/// process where GANTRY_DECODER=none asks for that. Functions throw InputError, which names the
/// file and the data set: damaged, crashed, took too long, no decoder program; and Interrupted.
/// Several threads may call them. Numbers that lie in the file as they are, neither in chunks nor
/// packed, are read without libhdf5, by all threads at once; others for one thread at a time.
class Hdf5File {
 public:
  /// `interrupt` ends each reading while it lasts; it may be null, and must outlive the file. After
  /// an interruption the file can be read again.
  explicit Hdf5File(const std::string& path, const Interrupt* interrupt = nullptr);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  const std::string& path() const;
  /// The data sets that can be reached from the root, each once, in the order of the file.
  const std::vector<Hdf5Dataset>& datasets() const;
  const std::vector<Hdf5Alias>& aliases() const;
  /// The links that lead nowhere: "/entry/data -> other.h5:/data".
  const std::vector<std::string>& dangling() const;
  /// Returns the data set of a path, which may go through aliases; null if there is none.
  const Hdf5Dataset* find(const std::string& path) const;

  /// Returns all values of a data set of numbers, scaled as its attributes state (Hdf5Scaling).
  std::vector<double> numbers(const Hdf5Dataset& dataset) const;
  /// Reads element `index` of the first dimension, with all elements of the others, scaled
  /// likewise. The span has their number.
  void read_frame(const Hdf5Dataset& dataset, std::uint64_t index, std::span<float> values) const;
  /// Reads elements of a data set whose numbers are packed in chunks (Hdf5Dataset::chunk), scaled
  /// likewise. Of the file, only the chunks are unpacked in which they lie, for this alone. The
  /// span has the elements' number.
  void read_box(const Hdf5Dataset& dataset, const ArrayBox& box, std::span<float> values) const;
  /// Returns an attribute of a data set or a group that is a text; nothing where there is none.
  std::optional<std::string> text_attribute(const std::string& object,
                                            const std::string& name) const;
  std::optional<std::string> text_attribute(const Hdf5Dataset& dataset,
                                            const std::string& name) const {
    return text_attribute(dataset.path, name);
  }
  /// Returns an attribute of a data set or a group that is a single finite number; nothing where
  /// there is none.
  std::optional<double> number_attribute(const std::string& object, const std::string& name) const;
  /// Returns a data set that is a text, or several of them, of which each becomes a line; nothing
  /// where it is something else.
  std::optional<std::string> text(const Hdf5Dataset& dataset) const;
  /// Returns whether a data set or a group has an attribute.
  bool has_attribute(const std::string& object, const std::string& name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gantry
