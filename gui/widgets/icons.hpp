#pragma once

#include <QIcon>
#include <QString>

namespace gantry {

/// Returns a line icon in the text colour of the palette in force when the icon is painted, so that
/// the icon is visible in light and dark windows. `name` is one of those in icons.cpp.
QIcon lineIcon(const QString& name);

}  // namespace gantry
