#pragma once

// The stored stored views of a scan that maps onto itself in space: turns and mirrors about the
// axis, with 2^-k of the views, and the mirror along the axis, with half of the detector's rows (Yu
// et al., J. Signal Process. Syst. 91 (2019) 321). Voxels lie in orbits of the same group: orbit o
// has the voxels e o of its first one. So an entry of ray r and voxel e o is one of r and o under
// e, and with all that vectors have of an orbit or of a stored ray side by side,
//   X[o, h] = x[h o],  Y[r, h] = y[h r],
//   Y[r, h] = sum over (o, e, w) of r of w X[o, h e],
//   X[o, h] = sum over (r, e, w) of o of w Y[r, h e^-1]:
// no vector is larger than it was, and both products are the same one.
#include "gpu/matrix/scsr/scsr_model.hpp"

#include <cstdint>

namespace gantry::device {

/// Views of a stored views are stored by so many: what a few views need of the transpose is less
/// than all.
constexpr int views_of_block = 8;

/// The stored rays: `rows` of each view, of `all_rows`. A voxel meets few rows, and there
/// neighbours in views: numbers go by block of views, row, view, column, so that what a voxel has
/// of a block lies close together.
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
  GANTRY_HD Place place(std::int64_t number) const {
    const int block = block_of(number);
    const auto in_block = static_cast<int>((number - rays_before(block)) / columns);
    return {block * views_of_block + in_block % views_in(block), in_block / views_in(block),
            static_cast<int>(number % columns)};
  }
  /// Where the image of a stored ray lies among all, `to` being what the element in the plane makes
  /// of its view; mirrored: and along the axis. -1: another makes it.
  GANTRY_HD std::int64_t target(const StoredView& to, int row, int column, bool mirrored) const {
    const int mirror = all_rows - 1 - row;
    if (to.view < 0 || (mirrored && mirror == row)) return -1;
    return (std::int64_t{to.view} * all_rows + (mirrored ? mirror : row)) * columns +
           flipped(column, columns, to.flip);
  }
};

/// Elements have 4 bits: above the lowest their number in the plane, in it the mirror along the
/// axis. The row of elements h of the group's table, [e] = h e, in 4 bits each.
GANTRY_HD unsigned product_of(std::uint32_t times, unsigned in_plane) {
  return times >> (4 * in_plane) & 15U;
}

/// A voxel as an element's image of the first one of its orbit.
GANTRY_HD std::uint32_t orbit_code(std::int64_t orbit, unsigned element) {
  return static_cast<std::uint32_t>(orbit) << 4U | element;
}

/// Entries of a line, by element and then ascending by place, are stored in runs of up to 8 of one
/// element, whose places are 16 bit steps from the first.
constexpr int run_length = 8, widest_run = 65535;
constexpr std::int64_t most_places = std::int64_t{1} << 28U;
struct RunCutter {
  int runs = 0, filled = 0;
  std::uint32_t head = 0;

  /// Takes one more entry, `filled` - 1 of run `runs` - 1; whether that run is a new one.
  GANTRY_HD bool add(std::uint32_t place, unsigned element) {
    const bool fits = runs > 0 && filled < run_length && (head & 15U) == element &&
                      place - (head >> 4U) <= widest_run;
    filled = fits ? filled + 1 : 1;
    if (fits) return false;
    head = orbit_code(place, element);
    ++runs;
    return true;
  }
};

}  // namespace gantry::device
