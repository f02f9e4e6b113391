#pragma once

#include "charts/painting/drawing.hpp"

#include <functional>
#include <string>

namespace gantry {

struct RgbImage;

/// Returns a colour as SVG and CSS write it, "#204060".
std::string svg_colour(Rgb colour);

/// Returns a picture as a PNG file in base64.
using PictureText = std::function<std::string(const RgbImage&)>;

/// Returns the elements of SVG that draw a drawing, texts as <text>. Pictures are left out without
/// `picture_text`; with it the document has to declare the name space xlink.
std::string svg_elements(const Drawing& drawing, const PictureText& picture_text = {});

/// Returns a drawing as SVG without external references.
std::string svg_document(const Drawing& drawing);

}  // namespace gantry
