#include "core/io/imports/formats/rtk/itk_projections.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/frame_part.hpp"
#include "core/io/volumes/metaimage_formats.hpp"
#include "core/io/volumes/metaimage_slices.hpp"
#include "core/io/volumes/nrrd.hpp"
#include "core/io/volumes/nrrd_header.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace gantry {

namespace {

std::array<VolumeFormat, 4> volume_kinds() {
  return {metaimage_format(), metaimage_pair_format(), nrrd_format(), nrrd_header_format()};
}

StoredVolume header_of(const std::string& path) {
  return file_start(path).starts_with(nrrd_magic) ? read_nrrd_header(path) : stored_metaimage(path);
}

}  // namespace

FileFormat itk_image_format() {
  FileFormat format;
  for (const VolumeFormat& kind : volume_kinds())
    format.extensions.insert(format.extensions.end(), kind.extensions.begin(),
                             kind.extensions.end());
  format.magic = [](std::string_view start) {
    Certainty certainty = Certainty::none;
    for (const VolumeFormat& kind : volume_kinds())
      certainty = std::max(certainty, kind.magic(start));
    return certainty;
  };
  return format;
}

int views_of_itk(const std::string& path) { return header_of(path).size[2]; }

RawScan open_itk_projections(const std::string& path) {
  const StoredVolume stored = header_of(path);
  const std::optional<AxisArrangement> along = arrange(stored.axes);
  if (!along || along->world != AxisArrangement{}.world)
    throw InputError("has axes that do not lie along columns, rows and views", path,
                     "write it with directions (" + stored.axes_field + ") along its axes");
  RawScan scan;
  scan.notes = stored.notes;
  scan.projections = frames_of_array(array_of(stored, path), usual_axes);
  const FrameTurn turn{along->backwards[1] ? 180 : 0, along->backwards[0] != along->backwards[1]};
  scan.projections = TurnedFrames::of(scan.projections, turn);
  scan.begins_lowest = true;
  const VolumeGrid grid = arranged_grid(stored, *along);
  scan.pixel_mm = grid.spacing_mm.x;
  scan.row_pixel_mm = grid.spacing_mm.y;
  const std::string name = std::filesystem::path(path).filename().string();
  const auto text = [](double mm) { return format_param(to_digits(mm, 6)); };
  scan.assumptions.push_back({"size of a cell",
                              text(scan.pixel_mm) + " x " + text(scan.row_pixel_mm) + " mm",
                              "the spacing that " + name + " states"});
  scan.assumptions.push_back({"rows", "from the lowest on", "RTK's order of rows"});
  if (stored.offset_mm)
    scan.zero_cell =
        CellPlace{-grid.origin_mm.x / grid.spacing_mm.x, -grid.origin_mm.y / grid.spacing_mm.y};
  return scan;
}

}  // namespace gantry
