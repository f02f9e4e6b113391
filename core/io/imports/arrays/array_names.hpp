#pragma once

#include <array>
#include <span>
#include <string_view>

namespace gantry {

/// Names of arrays that say what these are, in lower case.
using ArrayNames = std::span<const std::string_view>;

// Names in the order of how plainly they say what they are.
inline constexpr std::array<std::string_view, 14> names_of_projections = {
    "projections", "projection", "projs",  "proj",   "sinogram", "sinograms", "sino",
    "data",        "tomo",       "frames", "images", "counts",   "m",         "arr_0"};
inline constexpr std::array<std::string_view, 13> names_of_flats = {
    "flats",       "flat",       "white",      "whites", "data_white", "flat_field", "flatfield",
    "flat_fields", "flatfields", "background", "open",   "i0",         "bright"};
inline constexpr std::array<std::string_view, 9> names_of_darks = {
    "darks",       "dark",       "data_dark", "dark_field", "darkfield",
    "dark_fields", "darkfields", "black",     "offset"};
inline constexpr std::array<std::string_view, 14> names_of_angles = {
    "angles",         "angle",       "theta",       "thetas",        "theta_deg",
    "theta_rad",      "angles_deg",  "angles_rad",  "angle_deg",     "angle_rad",
    "rotation_angle", "view_angles", "proj_angles", "angles_degrees"};

// The units of angles that the name of their list states.
inline bool names_radians(std::string_view name) { return name.ends_with("_rad"); }
inline bool names_degrees(std::string_view name) {
  return name.ends_with("_deg") || name.ends_with("_degrees");
}

}  // namespace gantry
