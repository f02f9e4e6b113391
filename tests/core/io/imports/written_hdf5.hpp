#pragma once

#include "tests/core/io/imports/counted_frames.hpp"

#include <QtGlobal>

#include <cstdint>
#include <hdf5.h>
#include <string>
#include <type_traits>
#include <vector>

namespace gantry::test {

/// An HDF5 file that is being written; groups are made as paths name them.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
        groups_(H5Pcreate(H5P_LINK_CREATE)) {
    if (file_ < 0) qFatal("cannot write the test file %s", path.c_str());
    H5Pset_create_intermediate_group(groups_, 1);
  }
  ~Hdf5Writer() {
    H5Pclose(groups_);
    H5Fclose(file_);
  }
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  /// Adds a data set of uint16 or float64, with a text as its attribute "units" if there is one;
  /// packed in chunks where their size is given.
  template <class Number>
  void add(const char* path, const std::vector<hsize_t>& size, const std::vector<Number>& values,
           const std::string& units = {}, bool is_variable_length = false,
           const std::vector<hsize_t>& chunks = {}) const {
    const hid_t type = std::is_same_v<Number, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT16;
    static_assert(std::is_same_v<Number, double> || std::is_same_v<Number, std::uint16_t>);
    const hid_t space = H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr);
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    if (!chunks.empty()) {
      H5Pset_chunk(layout, static_cast<int>(chunks.size()), chunks.data());
      H5Pset_deflate(layout, 6);
    }
    const hid_t data = H5Dcreate2(file_, path, type, space, groups_, layout, H5P_DEFAULT);
    if (H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      qFatal("cannot write %s", path);
    if (!units.empty()) add_units(data, units, is_variable_length);
    H5Dclose(data);
    H5Pclose(layout);
    H5Sclose(space);
  }
  void add_text(const char* path, const std::string& text, bool is_variable_length) const {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, is_variable_length ? H5T_VARIABLE : text.size() + 1);
    const hid_t data = H5Dcreate2(file_, path, type, space, groups_, H5P_DEFAULT, H5P_DEFAULT);
    const char* address = text.c_str();
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
             is_variable_length ? static_cast<const void*>(&address) : address);
    H5Dclose(data);
    H5Sclose(space);
    H5Tclose(type);
  }
  /// Adds a further path to an object of the file.
  void link(const char* path, const char* object) const {
    H5Lcreate_soft(object, file_, path, groups_, H5P_DEFAULT);
  }
  /// Adds records of two whole numbers.
  void add_records(const char* path, hsize_t count) const {
    const hid_t type = H5Tcreate(H5T_COMPOUND, 8), space = H5Screate_simple(1, &count, nullptr);
    H5Tinsert(type, "a", 0, H5T_STD_I32LE);
    H5Tinsert(type, "b", 4, H5T_STD_I32LE);
    H5Dclose(H5Dcreate2(file_, path, type, space, groups_, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Tclose(type);
  }
  /// Adds a link to something in another file, which need not exist.
  void link(const char* path, const char* other_file, const char* object) const {
    H5Lcreate_external(other_file, object, file_, path, groups_, H5P_DEFAULT);
  }

 private:
  static void add_units(hid_t data, const std::string& units, bool is_variable_length) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, is_variable_length ? H5T_VARIABLE : units.size() + 1);
    const hid_t attribute = H5Acreate2(data, "units", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char* text = units.c_str();
    H5Awrite(attribute, type, is_variable_length ? static_cast<const void*>(&text) : text);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  }

  hid_t file_, groups_;
};

using Frame = std::vector<std::uint16_t>;

inline Frame joined_frames(const std::vector<Frame>& frames) {
  Frame all;
  for (const Frame& frame : frames) all.insert(all.end(), frame.begin(), frame.end());
  return all;
}

inline std::vector<hsize_t> size_of(std::size_t frames) {
  return {frames, CountedFrames::rows, CountedFrames::columns};
}

inline std::vector<Frame> projections(int count) {
  std::vector<Frame> all;
  for (int i = 0; i < count; ++i) all.push_back(CountedFrames::projection(i));
  return all;
}

}  // namespace gantry::test
