#include "charts/theme.hpp"

namespace gantry {

Theme Theme::on(Rgb background) {
  Theme theme;
  theme.background = background;
  theme.dark = luminance(background) < 0.18;  // darker than mid-grey as perceived
  const Rgb ink = theme.dark ? rgb(0xFFFFFF) : rgb(0x000000);
  theme.text = mix(background, ink, 0.88);
  theme.muted = mix(background, ink, 0.62);
  theme.grid = mix(background, ink, theme.dark ? 0.17 : 0.13);
  theme.panel = mix(background, ink, theme.dark ? 0.09 : 0.06);
  theme.accent = theme.dark ? rgb(0xFFD23F) : rgb(0xB35C00);
  theme.notice = rgb(0xFFB000);
  return theme;
}

}  // namespace gantry
