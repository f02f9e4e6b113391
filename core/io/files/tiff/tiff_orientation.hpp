#pragma once

#include "core/io/files/tiff/tiff_page.hpp"

#include <cstddef>
#include <span>

namespace gantry {

/// Whether the rows of a page are stored as columns.
bool is_stored_sideways(const TiffPage& page);

/// Turns the stored values of a page, bytes [row][column], so that its first row is the uppermost
/// and its first column the leftmost, as its orientation says. `page` is as the file stores it: its
/// columns and rows become each other's where it is stored sideways.
void turn_upright(const TiffPage& page, std::span<std::byte> values);

}  // namespace gantry
