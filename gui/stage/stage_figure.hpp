#pragma once

#include "gui/widgets/figure.hpp"

namespace gantry {

class SliceBoard;
class SliceTile;
class SliceView;
class ViewState;

/// Returns the picture of a view as it is printed: without the mark of the pointer and without the
/// frame of the selection.
QImage figure_picture(SliceView& view, double scale);

/// Returns the figure of one tile.
PanelFigure figure_of(SliceTile& tile);

/// Returns the tiles that are shown as one picture, as they stand on the stage, with one bar of
/// grey values at the right. Tiles of one scale have one scale bar, in the first of them.
QImage stage_picture(const SliceBoard& board, const ViewState& state, double scale);

/// Returns the figure of all tiles that are shown.
PanelFigure figure_of_stage(const SliceBoard& board, const ViewState& state);

/// Returns a name for the file of a figure: the caption up to its first semicolon, with dashes for
/// what is no letter, digit or point: "SART-0.05".
QString figure_name(const QString& caption);

}  // namespace gantry
