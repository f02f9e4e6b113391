#pragma once

#include "core/io/files/containers/listed_array.hpp"
#include "core/io/imports/import_scan.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gantry {

/// Names of arrays that say what these are, in lower case.
using ArrayNames = std::span<const std::string_view>;

// Names in the order of how plainly they say what they are.
inline constexpr std::array<std::string_view, 14> names_of_projections = {
    "projections", "projection", "projs",  "proj",   "sinogram", "sinograms", "sino",
    "data",        "tomo",       "frames", "images", "counts",   "m",         "arr_0"};
inline constexpr std::array<std::string_view, 12> names_of_flats = {
    "flats",     "flat",        "white",      "whites", "data_white", "flat_field",
    "flatfield", "flat_fields", "flatfields", "open",   "i0",         "bright"};
inline constexpr std::array<std::string_view, 9> names_of_darks = {
    "darks",       "dark",       "data_dark", "dark_field", "darkfield",
    "dark_fields", "darkfields", "black",     "offset"};
inline constexpr std::array<std::string_view, 14> names_of_angles = {
    "angles",         "angle",       "theta",       "thetas",        "theta_deg",
    "theta_rad",      "angles_deg",  "angles_rad",  "angle_deg",     "angle_rad",
    "rotation_angle", "view_angles", "proj_angles", "angles_degrees"};

/// Returns whether a name is one of these, in upper or lower case.
bool is_named_as(const std::string& name, ArrayNames names);

/// Returns what a name says that frames are, as those of files do; nothing for other names.
std::optional<FrameRole> role_called(const std::string& name);
/// Returns what the name of an array says that its frames are, else that of its group.
std::optional<FrameRole> role_of_array(const ListedArray& array);

/// Returns whether that is flats by a name that others may have, too, as "background", which may
/// also be darks.
bool is_doubtful_flat(const ListedArray& array);

/// What messages say of an array that is no numbers, behind its path.
inline constexpr const char* no_numbers = " holds no plain numbers, but texts, records or the like";

/// Returns what is wrong with an array that has to be a list of a number for each projection, or
/// for each of all frames: "/a has 3 values for 4 frames, or 6 with those of no projections".
std::string fault_of_list(const ListedArray& array, std::uint64_t projections,
                          std::uint64_t frames);

}  // namespace gantry
