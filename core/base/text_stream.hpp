#pragma once

#include <sstream>

namespace gantry {

/// A text that << puts together. It throws std::bad_alloc where there is no memory; a plain
/// std::ostringstream would leave out the rest of the text and say nothing.
class TextStream : public std::ostringstream {
 public:
  TextStream() { exceptions(std::ios_base::badbit); }
};

}  // namespace gantry
