#include "gui/scan/field_names.hpp"

#include <QCoreApplication>

#include <array>
#include <utility>

namespace gantry {

QString in_names_of_fields(QString message) {
  constexpr std::array names{std::pair{"source_to_isocenter_mm", "Source to axis"},
                             std::pair{"source_to_detector_mm", "Source to detector"},
                             std::pair{"detector_columns", "Columns"},
                             std::pair{"detector_rows", "Rows"},
                             std::pair{"column_pitch_mm", "Column pitch"},
                             std::pair{"row_pitch_mm", "Row pitch"},
                             std::pair{"central_column", "Central column"},
                             std::pair{"central_row", "Central row"},
                             std::pair{"helical_feed_mm_per_turn", "Feed"}};
  for (const auto& [key, field] : names)
    message.replace(QLatin1String(key), QCoreApplication::translate("GeometryPanel", field));
  return message;
}

}  // namespace gantry
