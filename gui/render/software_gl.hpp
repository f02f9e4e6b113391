#pragma once

#include <string_view>

namespace gantry {

/// Returns whether a renderer of OpenGL, by its name (GL_RENDERER), is a program on the processor
/// instead of a graphics card.
inline bool draws_on_the_processor(std::string_view renderer) {
  for (const std::string_view program :
       {"llvmpipe", "softpipe", "SWR", "Software Rasterizer", "Basic Render"})
    if (renderer.find(program) != std::string_view::npos) return true;
  return false;
}

}  // namespace gantry
