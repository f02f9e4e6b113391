#pragma once

#include "charts/painting/colour.hpp"

#include <QColor>
#include <QIcon>
#include <QPalette>

namespace gantry {

/// Returns the colour of a run, from the colour-blind safe palette of charts and view frames.
QColor runQColor(int index);
/// Returns a round dot in the colour of a run.
QIcon runIcon(int index);
int runColourCount();
/// Returns a colour without its opacity.
Rgb rgbOf(const QColor& colour);
/// Returns the colour of secondary text on the window of a palette.
QColor mutedText(const QPalette& palette);
/// Returns the colour of the frame of a control, which has a contrast of 3:1 and more against the
/// grounds of the window and of fields.
QColor frameColour(const QPalette& palette);
/// Returns the ground of cards and messages, between those of the window and of fields. (Palettes
/// of desktops may state an alternate ground that does not fit their texts.)
QColor cardGround(const QPalette& palette);
/// Returns a palette whose texts are readable where that of the desktop leaves them faint: with a
/// contrast of 4.5:1 to their grounds (WCAG 2.1), those of what is disabled of 3:1, at which they
/// still look disabled. A selection changes its ground, because its text is white or black.
QPalette readablePalette(QPalette palette);
/// Returns the name of a run's colour: "blue", "orange", ...
QString runColourName(int index);

}  // namespace gantry
