#pragma once

#include <QByteArray>
#include <QImage>

#include <vector>

namespace gantry {

/// Returns whether this program was built with giflib, which writes films.
bool can_write_films();

/// The last picture of a film stays so many times as long as the others.
constexpr int last_picture_stays = 5;

/// Returns an animated GIF of pictures of one size that repeats without end. Pictures are reduced
/// to 64 greys and 180 colours, the same for all, so that greys do not flicker. `milliseconds` are
/// those of each picture; the last one stays five times as long. Throws UsageError without pictures
/// or without giflib.
QByteArray gif_film(const std::vector<QImage>& pictures, int milliseconds);

}  // namespace gantry
