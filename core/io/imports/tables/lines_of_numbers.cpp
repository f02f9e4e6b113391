#include "core/io/imports/tables/lines_of_numbers.hpp"

#include "core/base/error.hpp"
#include "core/io/imports/tables/angle_table.hpp"
#include "core/io/imports/tables/table_text.hpp"

#include <algorithm>

namespace gantry {

std::size_t lines_of_numbers(const std::string& path) try {
  constexpr std::size_t largest = std::size_t{1} << 20;
  const std::string text = read_table_text(path, largest);
  if (text.find('\0') != std::string::npos) return 0;
  const AngleTable table = angle_table_of(text);
  for (std::size_t column = 0; !table.lines.empty() && column < table.columns(); ++column)
    if (std::ranges::all_of(table.lines,
                            [&](const TableLine& line) { return line.value(column).has_value(); }))
      return table.lines.size();
  return 0;
} catch (const InputError&) {
  return 0;  // no text, or none that can be read
}

}  // namespace gantry
