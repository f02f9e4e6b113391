#pragma once

#include "gui/widgets/figure.hpp"

namespace gantry {

class SliceBoard;
class SliceTile;
class SliceView;
class ViewState;
class VtkView;

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

/// Returns the view of a page that a command without a choice is about: that under the mouse, else
/// that with the focus, else the largest; null where no view is shown.
VtkView* active_view(const QWidget& page);

/// Returns the figure of one view of a page that has no tiles, as of a plane or a volume. `subject`
/// says of what.
PanelFigure figure_of(VtkView& view, const QString& subject, const ViewState& state);

/// Returns the figure of all views that a page without tiles shows, as they stand on it.
PanelFigure figure_of_page(const QWidget& page, const QString& subject, const ViewState& state);

/// Returns a name for the file of a figure: the caption up to its first semicolon, with dashes for
/// what is no letter, digit or point: "SART-0.05".
QString figure_name(const QString& caption);

}  // namespace gantry
