#pragma once

#include <QByteArray>
#include <QImage>

#include <vector>

namespace gantry {

/// Returns whether this program was built with VTK's writer of Ogg Theora.
bool can_write_videos();

/// Returns an Ogg file (.ogv) with a Theora video of pictures of one size, which browsers and
/// players show. Every picture stays `milliseconds`, the last one five times as long; all colours
/// are kept as well as the coding allows. Throws UsageError without pictures or without the writer,
/// OutputError where the video cannot be encoded.
QByteArray video_film(const std::vector<QImage>& pictures, int milliseconds);

}  // namespace gantry
