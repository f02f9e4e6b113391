#pragma once

#include <string>

namespace gantry {

/// A file, and perhaps a data set in it.
struct Hdf5Place {
  std::string file;
  std::string data_set;  ///< "/entry/data"; empty: not given
};

/// Takes "scan.h5:/entry/data" or "scan.h5::/entry/data" apart. The name of a file that exists, and
/// a text in which no such name stands before the path, are a file alone.
Hdf5Place hdf5_place(const std::string& text);

}  // namespace gantry
