#pragma once

// The stored views of a three-dimensional scan that maps onto itself (Yu et al., J. Signal Process.
// Syst. 91 (2019) 321). The elements of its symmetry group are rotations about the axis by
// multiples of 90 degrees and mirrors in planes through the axis, which leave 2^-k of the views to
// be stored, and the mirror along the axis, which leaves half of the detector rows. Voxels form
// orbits of the group: orbit o has the voxels e o, where o stands for its first voxel. An entry of
// ray r and voxel e o is stored as an entry of r and o with the element e. Vectors have the values
// of an orbit, or of a stored ray, under all elements h side by side:
//   X[o, h] = x[h o],  Y[r, h] = y[h r].
// With entries (o, e, w) of ray r, or (r, e, w) of orbit o, the products are
//   Y[r, h] = sum of w X[o, h e],
//   X[o, h] = sum of w Y[r, h e^-1].
// X and Y have about the size of x and y, and both products have the same form.
#include "gpu/matrix/scsr/scsr_model.hpp"

#include <cstdint>

namespace gantry::device {

/// Stored views in a block of views. The entries of an orbit are stored block by block, so that the
/// backprojection of a few views reads only their blocks.
constexpr int views_of_block = 8;

/// The stored rays: detector rows 0 .. rows - 1, out of all_rows, of each stored view. They are
/// numbered [block of views][row][view of the block][column]: a voxel is seen by few detector rows,
/// and in these by several neighbouring views, so that the numbers of its rays in a block of views
/// are close together.
struct ConeRays {
  int views, rows, columns, all_rows;

  struct Place {
    int view, row, column;
  };
  GANTRY_HD std::int64_t count() const { return std::int64_t{views} * rows * columns; }
  GANTRY_HD int blocks() const { return (views + views_of_block - 1) / views_of_block; }
  GANTRY_HD int views_in(int block) const {
    return least(views - block * views_of_block, views_of_block);
  }
  GANTRY_HD std::int64_t rays_before(int block) const {
    return std::int64_t{block} * views_of_block * rows * columns;
  }
  GANTRY_HD std::int64_t number(int view, int row, int column) const {
    const int block = view / views_of_block;
    return rays_before(block) +
           (std::int64_t{row} * views_in(block) + view % views_of_block) * columns + column;
  }
  GANTRY_HD int block_of(std::int64_t number) const {
    return static_cast<int>(number / (std::int64_t{views_of_block} * rows * columns));
  }
  /// Returns the view, row and column of a stored ray.
  GANTRY_HD Place place(std::int64_t number) const {
    const int block = block_of(number);
    const auto in_block = static_cast<int>((number - rays_before(block)) / columns);
    return {block * views_of_block + in_block % views_in(block), in_block / views_in(block),
            static_cast<int>(number % columns)};
  }
  /// Returns the index, among all rays of the scan, of the image of a stored ray: `to` is the image
  /// of its view under an element in the plane, `mirrored` adds the mirror along the axis. Returns
  /// -1 if another element makes that ray.
  GANTRY_HD std::int64_t target(const StoredView& to, int row, int column, bool mirrored) const {
    const int mirror = all_rows - 1 - row;
    if (to.view < 0 || (mirrored && mirror == row)) return -1;
    return (std::int64_t{to.view} * all_rows + (mirrored ? mirror : row)) * columns +
           flipped(column, columns, to.flip);
  }
};

/// An element has 4 bits: bit 0 is the mirror along the axis, bits 1 .. 3 are the element's number
/// in the plane. Returns the product h e of two elements in the plane, where `times` has the
/// products of h with all e, 4 bits each.
GANTRY_HD unsigned product_of(std::uint32_t times, unsigned in_plane) {
  return times >> (4 * in_plane) & 15U;
}

/// Returns the code of a voxel, the image of the first voxel of its orbit under an element.
GANTRY_HD std::uint32_t orbit_code(std::int64_t orbit, unsigned element) {
  return static_cast<std::uint32_t>(orbit) << 4U | element;
}

/// Cuts the entries of a list into runs. Entries are ordered by element, then ascending by index,
/// the number of an orbit or of a stored ray. A run has up to 8 entries of one element, whose
/// indices are stored as offsets of 16 bits from the first one's.
constexpr int run_length = 8, largest_run_offset = 65535;
constexpr std::int64_t most_places = std::int64_t{1} << 28U;
struct RunCutter {
  int runs = 0, filled = 0;
  std::uint32_t head = 0;

  /// Adds the next entry, which becomes entry `filled` - 1 of run `runs` - 1. Returns whether that
  /// run is new.
  GANTRY_HD bool add(std::uint32_t place, unsigned element) {
    const bool fits = runs > 0 && filled < run_length && (head & 15U) == element &&
                      place - (head >> 4U) <= largest_run_offset;
    filled = fits ? filled + 1 : 1;
    if (fits) return false;
    head = orbit_code(place, element);
    ++runs;
    return true;
  }
};

}  // namespace gantry::device
