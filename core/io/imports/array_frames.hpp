#pragma once

#include "core/io/files/arrays/stored_array.hpp"
#include "core/io/imports/import_settings.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Assumption::what of the axes of an array.
inline constexpr const char* axes_assumed = "axes of the projections";

/// Which axes of an array are those of views, rows and columns of frames; nothing where there is
/// a single one: of a sinogram the row, of a single flat the view.
struct FrameAxes {
  std::optional<std::size_t> view, row;
  std::size_t column = 0;

  friend bool operator==(const FrameAxes&, const FrameAxes&) = default;
};

/// Those of most arrays of frames.
inline constexpr FrameAxes usual_axes{.view = 0, .row = 1, .column = 2};

/// Returns the order of axes that a text states, "views,rows,columns"; nothing for other texts. It
/// names the columns and the views, the rows or both, each once.
std::optional<AxisOrder> axis_order_in(const std::string& text);
/// Returns the same as text.
std::string text_of(const AxisOrder& order);

/// The memory that views of an array are kept in meanwhile, which do not lie in one piece each.
inline constexpr std::uint64_t least_memory_of_views = std::uint64_t{1} << 27;

/// Returns the frames in an array. A frame that lies in one piece is read alone. Else the array is
/// read slab by slab of its slowest axis, to keep a block of views that follow each other, and once
/// more for each further block of `block_bytes`, at most eight times. For FrameSource::part() only
/// the slabs are read in which the part lies. Of an array in tiles these take the place of slabs,
/// unless they are kept while all views are read. Throws InputError: the array is empty, or larger
/// than frames can be.
std::shared_ptr<const FrameSource> frames_of_array(
    StoredArray array, const FrameAxes& axes, std::uint64_t block_bytes = least_memory_of_views);

}  // namespace gantry
