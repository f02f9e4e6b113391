#pragma once

#include <QtGlobal>

#include <cstddef>
#include <hdf5.h>
#include <vector>

namespace gantry::test {

/// A filter of HDF5 that leaves the bytes of a chunk as they are, and counts how often chunks are
/// unpacked in this process. There is one at a time.
class CountedUnpackings {
 public:
  CountedUnpackings() {
    const H5Z_class2_t counting = {H5Z_CLASS_T_VERS, filter,  1,       1,
                                   "counting",       nullptr, nullptr, apply};
    if (H5Zregister(&counting) < 0) qFatal("cannot register the filter");
    count = 0;
  }
  ~CountedUnpackings() { H5Zunregister(filter); }
  CountedUnpackings(const CountedUnpackings&) = delete;
  CountedUnpackings& operator=(const CountedUnpackings&) = delete;

  /// Has a data set lie in such chunks.
  static void set(hid_t properties, const std::vector<hsize_t>& chunk) {
    H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
    H5Pset_filter(properties, filter, H5Z_FLAG_MANDATORY, 0, nullptr);
  }

  static inline int count = 0;

 private:
  static constexpr H5Z_filter_t filter = 300;
  static std::size_t apply(unsigned flags, std::size_t, const unsigned*, std::size_t bytes,
                           std::size_t*, void**) {
    if ((flags & H5Z_FLAG_REVERSE) != 0) ++count;
    return bytes;
  }
};

}  // namespace gantry::test
