#pragma once

#include "core/io/volumes/volume_format.hpp"

#include <string>
#include <vector>

namespace gantry {

// Reading and writing of volumes in any of volume_formats().

/// Reads a volume: a file, or a folder of a DICOM CT series. Throws InputError (what is wrong,
/// where, what to do), also for a file of no known format; UsageError for a mu_water that is not
/// positive and finite, for a size of voxels that differs from what the file states, and for a
/// format that this build cannot read.
LoadedVolume load_volume(const std::string& path, const VolumeReadOptions& options = {});

/// Opens a volume for looking at single slices, without reading the rest: within milliseconds,
/// whatever its size. Nothing where the file does not allow that; load_volume() reads it. Throws
/// InputError for a file that is cut short or whose header is wrong; other damage is found only by
/// load_volume().
std::optional<VolumeSlices> open_slices(const std::string& path,
                                        const VolumeReadOptions& options = {});

/// Returns the number of slices that the header of a file states, without reading the voxels; 0 for
/// formats without such a header. Throws InputError.
int stored_slices(const std::string& path);

/// Returns whether a file or folder may hold several series (list_dicom_series()), of which one has
/// to be chosen. Throws InputError for a file of no known format.
bool may_hold_series(const std::string& path);

/// Writes a volume, completely or not at all, in the format that the extension of the path (in
/// upper or lower case) stands for; a path without an extension, and an existing folder, is written
/// as a folder with a DICOM series. If the volume comes from images of a patient (`study`), only
/// the owner may read new files. Throws OutputError; InputError for a grid that cannot be;
/// UsageError for any other extension, for a volume to be de-identified that is not written as
/// DICOM, for one of unknown lengths that is (require_known_lengths()), and for a mu_water that is
/// not positive and finite; ShapeError unless there is a value for each voxel of the grid.
void write_volume(const std::string& path, const VolumeToWrite& volume);

/// Returns what a new file may be called: ".mha, .mhd, .raw, or a folder for DICOM".
std::string volume_names_to_write();

/// Returns the access for files that are made from the volume at this path: `owner` for DICOM,
/// since it comes from patients, and for unknown files; else the access to its header and its data.
FileAccess access_for_volume(const std::string& path);

/// Returns the name of the source of a volume, without its folder, which may name a patient:
/// "head.mha", or the description of a DICOM series.
std::string source_name(const LoadedVolume& volume);

/// Returns whether write_volume would store HU, which DICOM always does.
bool writes_hu(const std::string& path, const VolumeToWrite& volume);

/// Moves the grid of a volume with a frame to its place in the patient, for a file that states the
/// place of voxels and has no frame of its own, as MetaImage. Returns what is lost, as a note,
/// where the file cannot say that place: its axes, or the frame, are other ones; else nothing.
/// Throws UsageError like write_volume.
std::string place_in_patient(const std::string& path, VolumeToWrite& volume);

/// Throws UsageError for a format that always holds HU and mm, as DICOM, where the size of the
/// scan's cells is not known: its files could not say that their mm are cells.
void require_known_lengths(const std::string& path, bool lengths_are_known);

/// Returns whether write_volume can de-identify what it writes to this path: DICOM alone. Throws
/// UsageError like write_volume.
bool can_deidentify(const std::string& path);
/// Throws UsageError unless can_deidentify().
void require_deidentifiable(const std::string& path);

/// Returns the files, or the folder, that write_volume would write. Throws UsageError like
/// write_volume.
std::vector<std::string> files_of_volume(const std::string& path);

/// Returns the files that hold the values of a volume whose header may be another file, or which is
/// a folder of slices; none for other files, or if the header or the folder cannot be read.
std::vector<std::string> data_paths_in_volume(const std::string& path);

/// Throws, as write_volume would, if the volume could not be written; changes nothing. Meant to be
/// called before a long run.
void require_writable_volume(const std::string& path);

/// The content of a file or folder, as far as its name and first bytes tell.
enum class FileKind {
  scan,
  experiment,
  volume,
  projections  ///< as another program stored them
};
/// Returns the content of a path; what is none of the others counts as a volume, and so do images
/// in one file, which could be projections as well.
/// Throws InputError if the path does not exist or is neither a file nor a folder.
FileKind identify_file(const std::string& path);

}  // namespace gantry
