#pragma once

#include "charts/painting/colour.hpp"

namespace gantry {

/// The colours of a scene, all derived from its background, so that light and dark windows are
/// readable.
struct Theme {
  Rgb background;
  Rgb text;    ///< titles and labels
  Rgb muted;   ///< secondary text, axes
  Rgb grid;    ///< grid lines, outlines that must not compete with data
  Rgb panel;   ///< header strips and legends, slightly different from the background
  Rgb accent;  ///< handles, hover marks, the profile line
  Rgb notice;  ///< something the user should know
  bool dark = false;

  static Theme on(Rgb background);
};

}  // namespace gantry
