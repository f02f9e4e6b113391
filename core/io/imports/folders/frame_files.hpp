#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// The image files of a scan in a folder, told apart by their names.
struct FrameFiles {
  /// Where files of another kind are more than these, they are no lists or geometries.
  static constexpr std::size_t most_others = 100;

  std::vector<std::string> projections, flats, darks;  ///< paths, in the order of their numbers
  std::string why = "by their names";                  ///< the projections are these
  /// The series of flats by doubtful_roles(), which may be darks. They are among the `flats`,
  /// unless others are called so: then they are none, but may still be the darks.
  std::vector<std::vector<std::string>> doubtful_flats;
  /// The numbers in the names of the projections less the smallest one; empty: without numbers.
  std::vector<int> positions;
  int first_number = 0;  ///< the smallest number
  /// As `positions`, those of files of the same series that are given as flats or darks, and of
  /// flats and darks which the same counter counts, rising.
  std::vector<int> given_positions;
  /// The decimal numbers in the names of the projections, or those with signs, such as angles;
  /// empty: whole numbers without signs, or none.
  std::vector<double> decimals;
  std::vector<std::string> texts;   ///< files beside them that may list the angles
  std::vector<std::string> others;  ///< files beside them that are neither images nor texts
  /// Arrays of NumPy beside them that are no images, but may be tables of a geometry by their shape
  /// (may_be_plain_table()); none of slices.
  std::vector<std::string> tables;
  std::vector<std::string> left_out;  ///< images that are none of these: "blank_#.tif (5 files)"
  std::vector<std::string> notes;     ///< what is double or left out, one line each
};

/// What the images of a folder are to be: projections, or the slices of a volume, which are the
/// `projections` of FrameFiles then.
enum class ImageSeries { projections, slices };

/// Looks into files of images.
struct FrameCounter {
  /// Returns how many frames a file holds; 0 of one that cannot be read.
  std::function<int(const std::string& path)> count = {};
  /// Returns the columns and rows of the frames of a file; 0 and 0 of one that cannot be read.
  std::function<std::pair<int, int>(const std::string& path)> cells = {};
};

/// Lists the files with one of `extensions` (lower case, with the dot) in a folder and the folders
/// directly below it; of the folders below these, those of flats and darks alone. Flats and darks
/// are told by their names (names_flat(), names_dark()); where nothing else is left out, also by
/// names that others may have (may_name_flat(), may_name_dark()), with a note. The projections are
/// the group that choose_projections() finds where `count` looks into files, or else that of most
/// files, among the others whose names differ in their last number alone, which may be a decimal
/// one: img_0.0.tif, img_0.5.tif, img_0p5.tif; or in several numbers, of which one counts them:
/// tomo_0041_123.000.tif; or in the time of day, with a note: 10-00-07.tif. Reconstructed slices
/// beside projections are left out by their names, with a note (take_slices()); where slices are
/// `wanted`, the others are. A file without a number may begin a series of files of many pages:
/// scan.tif before scan@0001.tif. Files of another format may be flats or darks where no images
/// are; flats also where the names of all flats tell when these were taken. Files that are `given`
/// as flats or darks are none of these. Where all files are called flats or darks, some of these
/// may be the projections, with a note (take_named_projections()). Flats, darks and texts in a
/// folder of another scan are left out with a note. Throws InputError if there are none, or names
/// of many images have nothing in common.
FrameFiles list_frame_files(const std::string& folder, const std::vector<std::string>& extensions,
                            const std::vector<std::string>& given = {},
                            ImageSeries wanted = ImageSeries::projections,
                            const FrameCounter& count = {});

/// Lists the files of a folder whose names are `prefix`, digits and one of `extensions`, in the
/// order of their numbers; as projections, with notes on double ones, without those
/// that are `given` as flats or darks. Nothing where there are none. Throws InputError for a folder
/// that cannot be listed.
FrameFiles list_numbered_files(const std::string& folder, const std::string& prefix,
                               const std::vector<std::string>& extensions,
                               const std::vector<std::string>& given = {});

/// Returns whether a file begins a series whose further files lie beside it, as scan@0001.tif.
bool goes_on_in_others(const std::string& path);

/// Returns whether a name says that an image is a sinogram: it has the word sino or sinogram.
bool names_sinogram(const std::string& name);

/// Returns whether such a folder holds a file with one of `extensions`; of flats and darks alone,
/// where no images of another format are the projections.
bool holds_frame_files(const std::string& folder, const std::vector<std::string>& extensions);

/// Returns whether it holds some that are no flats or darks, by their names or as `given`.
bool holds_projections(const std::string& folder, const std::vector<std::string>& extensions,
                       const std::vector<std::string>& given);

/// Returns whether a folder holds files with one of `extensions` that are a scan by their names:
/// several that differ by a number, or one beside flats or darks; where the folder has no images of
/// the usual formats, also several beside these, or a sample that is called as these.
bool holds_series(const std::string& folder, const std::vector<std::string>& extensions);

}  // namespace gantry
