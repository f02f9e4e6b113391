#pragma once

#include "core/data/slice.hpp"

#include <memory>

namespace gantry {

/// What a tile shows of its own picture and, but for the first three kinds, of a partner.
struct TileContent {
  enum class Kind {
    image,
    edges,         ///< the edge field of the run's prior
    beside_edges,  ///< left of a divider; that edge field is right of it
    difference,    ///< to the partner
    blink,         ///< in turn with the partner
    swipe          ///< left of a divider; the partner is right of it
  };
  Kind kind = Kind::image;
  int partner = -1;  ///< id of a run or of the reference; -1: none

  bool has_partner() const { return kind >= Kind::difference; }
  bool has_divider() const { return kind == Kind::beside_edges || kind == Kind::swipe; }
  friend bool operator==(const TileContent&, const TileContent&) = default;
};

/// Returns the difference of two slices, on the pixels of the first.
std::shared_ptr<const SliceImage> difference(const SliceImage& a, const SliceImage& b);
/// Returns a slice with the values of `left` up to a position u and of `right` beyond it, on the
/// pixels of the first.
std::shared_ptr<const SliceImage> divided(const SliceImage& left, const SliceImage& right,
                                          double u_mm);
/// Returns a slice of values from 0 to 1 as values over a window, which shows them from black to
/// white.
SliceImage over_window(const SliceImage& fractions, double window, double level);

}  // namespace gantry
