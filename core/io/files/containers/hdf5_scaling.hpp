#pragma once

#include "core/io/files/containers/hdf5_calls.hpp"
#include "core/io/files/containers/hdf5_listing.hpp"

#include <optional>
#include <string>

namespace gantry {

/// An attribute of a data set or group that is a number.
struct NumberAttribute {
  bool is_there = false;
  double value = 0;
  std::string fault;  ///< "is no number"; empty: none
};
NumberAttribute number_attribute(hid_t object, const char* name);

/// Returns how the attributes of a data set scale its numbers; nothing where they do not. The
/// offset of an axis of NXtransformations is a place, which is told by its other attributes.
std::optional<Hdf5Scaling> scaling_of(hid_t object);

}  // namespace gantry
