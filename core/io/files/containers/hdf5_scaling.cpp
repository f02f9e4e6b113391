#include "core/io/files/containers/hdf5_scaling.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace gantry {

using hdf5_calls::Handle;

NumberAttribute number_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose), type(H5Aget_type(attribute), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type);
  NumberAttribute found{true, 0, {}};
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || H5Tget_size(type) > sizeof(long double))
    found.fault = "is no number";
  else if (H5Sget_simple_extent_npoints(space) != 1)
    found.fault = "is no single number";
  else if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &found.value) < 0 || !std::isfinite(found.value))
    found.fault = "is no finite number";
  return found;
}

namespace {

/// Takes the attributes of these names, which mean the same, as a number of a scaling.
void take_attributes(hid_t object, const std::vector<std::string>& names, double& number,
                     Hdf5Scaling& scaling) {
  bool is_taken = false;
  for (const std::string& name : names) {
    const NumberAttribute found = number_attribute(object, name.c_str());
    if (!found.is_there) continue;
    scaling.attributes += (scaling.attributes.empty() ? "" : " and ") + name;
    const std::string fault = is_taken && found.fault.empty() && found.value != number
                                  ? "contradicts " + names.front()
                                  : found.fault;
    if (!fault.empty() && scaling.fault.empty())
      scaling.fault = "its attribute " + name + " " + fault;
    number = found.value;
    is_taken = true;
  }
}

/// Takes the scaling of CIL, which writes number = scale x value + offset.
void take_scaling_of_cil(hid_t object, Hdf5Scaling& scaling) {
  double scale = 1, offset = 0;
  take_attributes(object, {"scale"}, scale, scaling);
  if (scale == 0 && scaling.fault.empty()) scaling.fault = "its attribute scale is 0";
  take_attributes(object, {"offset"}, offset, scaling);
  if (!scaling.fault.empty()) return;
  scaling.factor = 1 / scale;
  scaling.addend = -offset / scale;
}

}  // namespace

std::optional<Hdf5Scaling> scaling_of(hid_t object) {
  Hdf5Scaling scaling;
  if (H5Aexists(object, "data_type") > 0 && H5Aexists(object, "scale") > 0) {
    take_scaling_of_cil(object, scaling);
    return scaling;
  }
  take_attributes(object, {"scale_factor", "scaling_factor"}, scaling.factor, scaling);
  if (scaling.factor == 0 && scaling.fault.empty())
    scaling.fault = "its attribute " + scaling.attributes + " is 0";
  const bool is_axis =
      H5Aexists(object, "transformation_type") > 0 || H5Aexists(object, "vector") > 0;
  std::vector<std::string> names = {"add_offset", "offset"};
  if (is_axis) names.pop_back();
  take_attributes(object, names, scaling.addend, scaling);
  const bool is_plain = scaling.factor == 1 && scaling.addend == 0 && scaling.fault.empty();
  return is_plain ? std::nullopt : std::optional(std::move(scaling));
}

}  // namespace gantry
