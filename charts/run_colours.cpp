#include "charts/run_colours.hpp"

namespace gantry {

Rgb readableOn(Rgb colour, Rgb background, double ratio) {
  const bool darken = contrast(background, rgb(0x000000)) > contrast(background, rgb(0xFFFFFF));
  const Rgb target = rgb(darken ? 0x000000 : 0xFFFFFF);
  for (int step = 0; step <= 20; ++step)
    if (const Rgb candidate = mix(colour, target, step / 20.0);
        contrast(candidate, background) >= ratio)
      return candidate;
  return target;
}

}  // namespace gantry
