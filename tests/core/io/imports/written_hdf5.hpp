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
    if (!units.empty()) add_text_to(data, "units", units, is_variable_length);
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
  /// Adds a list of texts, of one length or of any.
  void add_texts(const char* path, const std::vector<std::string>& texts,
                 bool is_variable_length) const {
    constexpr std::size_t length = 256;
    const hsize_t count = texts.size();
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &count, nullptr);
    H5Tset_size(type, is_variable_length ? H5T_VARIABLE : length);
    const hid_t data = H5Dcreate2(file_, path, type, space, groups_, H5P_DEFAULT, H5P_DEFAULT);
    std::vector<const char*> addresses;
    std::string fixed;
    for (const std::string& text : texts) {
      addresses.push_back(text.c_str());
      fixed += text + std::string(length - text.size(), '\0');
    }
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
             is_variable_length ? static_cast<const void*>(addresses.data()) : fixed.data());
    H5Dclose(data);
    H5Sclose(space);
    H5Tclose(type);
  }
  /// Adds a text as an attribute of a data set or a group.
  void add_attribute(const char* path, const char* name, const std::string& text) const {
    const hid_t object = H5Oopen(file_, path, H5P_DEFAULT);
    add_text_to(object, name, text, false);
    H5Oclose(object);
  }
  /// Adds numbers as an attribute of a data set or a group.
  void add_attribute(const char* path, const char* name, const std::vector<double>& numbers) const {
    const hid_t object = H5Oopen(file_, path, H5P_DEFAULT);
    const hsize_t count = numbers.size();
    const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr),
                attribute =
                    H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, numbers.data());
    H5Aclose(attribute);
    H5Sclose(space);
    H5Oclose(object);
  }
  /// Adds a virtual data set of uint16 whose frames lie in other files, a frame in each, which need
  /// not exist.
  void add_virtual(const char* path, const std::vector<hsize_t>& size,
                   const std::vector<std::string>& files, const char* object) const {
    const hid_t space = H5Screate_simple(3, size.data(), nullptr),
                layout = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t one[3] = {1, size[1], size[2]};
    const hid_t frame = H5Screate_simple(3, one, nullptr);
    for (hsize_t i = 0; i < files.size(); ++i) {
      const hsize_t start[3] = {i, 0, 0};
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, one, nullptr);
      H5Pset_virtual(layout, space, files[i].c_str(), object, frame);
    }
    H5Sselect_all(space);
    H5Dclose(H5Dcreate2(file_, path, H5T_NATIVE_UINT16, space, groups_, layout, H5P_DEFAULT));
    H5Sclose(frame);
    H5Pclose(layout);
    H5Sclose(space);
  }
  /// Adds a data set of uint16 in one chunk that says it is packed by a filter nobody has.
  void add_packed_by(int filter, const char* path, const std::vector<hsize_t>& size,
                     const std::vector<std::uint16_t>& values) const {
    const hid_t space = H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(layout, static_cast<int>(size.size()), size.data());
    H5Pset_filter(layout, filter, H5Z_FLAG_OPTIONAL, 0, nullptr);
    const hid_t data =
        H5Dcreate2(file_, path, H5T_NATIVE_UINT16, space, groups_, layout, H5P_DEFAULT);
    const std::vector<hsize_t> start(size.size(), 0);
    if (H5Dwrite_chunk(data, H5P_DEFAULT, 0, start.data(), values.size() * sizeof(std::uint16_t),
                       values.data()) < 0)
      qFatal("cannot write %s", path);
    H5Dclose(data);
    H5Pclose(layout);
    H5Sclose(space);
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
  static void add_text_to(hid_t data, const char* name, const std::string& units,
                          bool is_variable_length) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, is_variable_length ? H5T_VARIABLE : units.size() + 1);
    const hid_t attribute = H5Acreate2(data, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
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
