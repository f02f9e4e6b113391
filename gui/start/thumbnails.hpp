#pragma once

#include "core/data/slice.hpp"
#include "gui/stage/view_state.hpp"

#include <QImage>
#include <QSize>
#include <QString>

namespace gantry {

// Small pictures of recent files, lessons and sessions. Those of files and lessons are kept in the
// folder of caches, readable by the user alone, because they may show patients.

/// Their size, logical pixels.
inline constexpr QSize thumbnail_size{160, 120};

/// Returns a slice in grey of that window and level, fitted into `size`; a null picture for a slice
/// without pixels. `v_up` tells whether +v is upwards.
QImage picture_of(const SliceImage& slice, const WindowLevel& grey, bool v_up, const QSize& size);

/// Returns the picture that was kept under a name, which may be any text; null if there is none.
QImage kept_thumbnail(const QString& name);
/// Keeps a picture. One that cannot be written is left out. May be called from any thread.
void keep_thumbnail(const QString& name, const QImage& picture);

}  // namespace gantry
