#pragma once

#include <QColor>
#include <QIcon>

namespace gantry {

/// The colour of a run, from the colour-blind safe palette that charts and view frames use as well.
QColor runQColor(int index);
/// A round dot of that colour.
QIcon runIcon(int index);
int runColourCount();
/// "blue", "orange", ...
QString runColourName(int index);

}  // namespace gantry
