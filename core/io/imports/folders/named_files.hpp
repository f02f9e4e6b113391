#pragma once

#include "core/io/imports/folders/frame_files.hpp"

#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// Extensions of flats and darks beside images of another format; files of arrays that are not
/// taken are noted.
inline constexpr std::array<std::string_view, 3> extensions_of_images = {".tif", ".tiff", ".edf"};
inline constexpr std::array<std::string_view, 2> extensions_of_arrays = {".npy", ".npz"};

/// Throws InputError for what is no folder.
void require_folder(const std::string& folder);

/// Returns the regular files of a folder and of the folders `depth` levels below it.
std::vector<std::filesystem::path> files_below(const std::string& folder, int depth);

/// Sorts paths by the numbers in them.
void sort_naturally(std::vector<std::string>& paths);

/// Returns the whole paths of files, by which they are told apart however they are written.
std::set<std::filesystem::path> whole_paths(const std::vector<std::string>& paths);
/// Returns whether a file is one of these.
bool is_one_of(const std::set<std::filesystem::path>& whole, const std::filesystem::path& path);

/// Takes flats, darks, texts and tables of a geometry of a folder by their names, and returns the
/// other images, except those `given`.
std::vector<std::filesystem::path> take_named(const std::string& folder,
                                              const std::vector<std::string>& extensions,
                                              const std::vector<std::string>& given,
                                              FrameFiles& files);

/// Takes files of other formats than the images' whose names say that they are flats or darks,
/// where no images are named so; notes other arrays but tables of a geometry, by their shape.
void take_others(const std::string& folder, const std::vector<std::string>& extensions,
                 const std::vector<std::string>& given, FrameFiles& files);

/// Notes the tables of a geometry as arrays that are left out.
void leave_out_tables(const std::string& folder, FrameFiles& files);

/// Returns files that are given as flats or darks, with the images of a folder in its place, in the
/// order of their numbers. Of a folder with both, by their names, those of the kind. Throws
/// InputError for a folder without images.
std::vector<std::string> with_images_of_folders(const std::vector<std::string>& given,
                                                bool are_darks);

/// Flats and darks by their names, in the order of their numbers.
struct NamedBeam {
  std::vector<std::string> flats, darks;
};

/// Returns the flats and darks of a folder and of the folders directly below it that are called so
/// and nothing else, by their names; without files that are `taken`.
NamedBeam beam_in(const std::string& folder, const std::vector<std::string>& extensions,
                  const std::vector<std::string>& taken);

}  // namespace gantry
