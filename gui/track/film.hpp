#pragma once

#include "gui/models/playhead.hpp"

#include <QImage>

#include <functional>
#include <vector>

namespace gantry {

/// Moves the playhead through the iterates that a run keeps, evenly chosen if they are more than
/// `most`, calls `picture` at each, and returns the pictures. The playhead is live afterwards.
std::vector<QImage> film_pictures(Playhead& playhead, const RunStatus& run, int most,
                                  const std::function<QImage()>& picture);

}  // namespace gantry
