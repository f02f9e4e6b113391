#include "gui/widgets/field_names.hpp"

#include <QCoreApplication>
#include <QRegularExpression>

#include <array>
#include <utility>
#include <vector>

namespace gantry {

namespace {

void replace_word(QString& message, const QString& word, const QString& by) {
  if (!message.contains(word)) return;
  static const QString no_word = QStringLiteral("(?<![A-Za-z0-9_])%1(?![A-Za-z0-9_])");
  message.replace(QRegularExpression(no_word.arg(QRegularExpression::escape(word))), by);
}

/// Replaces a key that is no usual word; `or_name`: also one that is a name, as "sirt" is.
void replace_key(QString& message, const std::string& key, const std::string& label, bool or_name) {
  const QString word = QString::fromStdString(key), name = QString::fromStdString(label);
  if (word.contains(QLatin1Char('_')) || (or_name && word.compare(name, Qt::CaseInsensitive) == 0))
    replace_word(message, word, name);
}

template <class Registry>
void replace_keys(QString& message, const Registry& registry) {
  for (const auto& entry : registry.entries()) {
    replace_key(message, entry.key, entry.label, true);
    for (const ParamSpec& param : entry.params) replace_key(message, param.key, param.label, false);
    for (const auto& maker : entry.makers)
      for (const ParamSpec& param : maker.more_params)
        replace_key(message, param.key, param.label, false);
  }
}

}  // namespace

QString options_as_fields(QString message) {
  // The longer one of two that begin alike comes first.
  constexpr std::array of_import{std::pair{"--flat-data", "Data set of flats"},
                                 std::pair{"--dark-data", "Data set of darks"},
                                 std::pair{"--angles-data", "Data set of angles"},
                                 std::pair{"--angle-column", "Column of angles"},
                                 std::pair{"--data", "Data set"},
                                 std::pair{"--flat-frames", "Flat frames"},
                                 std::pair{"--dark-frames", "Dark frames"},
                                 std::pair{"--flat", "Flats"},
                                 std::pair{"--dark", "Darks"},
                                 std::pair{"--angles", "Angles"},
                                 std::pair{"--arc", "Arc"},
                                 std::pair{"--axes", "Order of axes"},
                                 std::pair{"--air", "Columns of air"},
                                 std::pair{"--white-level", "Level of air"},
                                 std::pair{"--line-integrals", "Values"},
                                 std::pair{"--interpolate-flats", "Average of flats"},
                                 std::pair{"--mean", "Average of flats"},
                                 std::pair{"--pixel", "Cell of the detector"},
                                 std::pair{"--centre", "Axis of rotation"},
                                 std::pair{"--translations", "Motion"},
                                 std::pair{"--turn", "Turned"},
                                 std::pair{"--mirror", "Mirrored or reversed"},
                                 std::pair{"--reverse", "Mirrored or reversed"},
                                 std::pair{"--source-axis", "Source to axis"},
                                 std::pair{"--source-detector", "Source to detector"}};
  for (const auto& [option, field] : of_import)
    message.replace(
        QString::fromLatin1(option),
        QStringLiteral("\"%1\"").arg(QCoreApplication::translate("ImportPanel", field)));
  return message;
}

QString in_names_of_fields(QString message) {
  message = options_as_fields(std::move(message));
  constexpr std::array of_scan{std::pair{"source_to_isocenter_mm", "Source to axis"},
                               std::pair{"source_to_detector_mm", "Source to detector"},
                               std::pair{"detector_columns", "Columns"},
                               std::pair{"detector_rows", "Rows"},
                               std::pair{"column_pitch_mm", "Column pitch"},
                               std::pair{"row_pitch_mm", "Row pitch"},
                               std::pair{"central_column", "Central column"},
                               std::pair{"central_row", "Central row"},
                               std::pair{"helical_feed_mm_per_turn", "Feed"}};
  constexpr std::array of_noise{std::pair{"photons_per_ray", "Photons"},
                                std::pair{"electronic_sigma", "Electronic"}};
  constexpr std::array of_runs{std::pair{"coarse_levels", "Coarse grids"},
                               std::pair{"coarse_iterations", "Coarse grids"}};
  for (const auto& [key, field] : of_scan)
    replace_word(message, QString::fromLatin1(key),
                 QCoreApplication::translate("GeometryPanel", field));
  for (const auto& [key, field] : of_noise)
    replace_word(message, QString::fromLatin1(key),
                 QCoreApplication::translate("SourcePanel", field));
  for (const auto& [key, field] : of_runs)
    replace_word(message, QString::fromLatin1(key),
                 QCoreApplication::translate("RunEditor", field));
  return message;
}

QString in_names_of_fields(const QString& message, const Catalog& catalog) {
  QString text = in_names_of_fields(message);
  replace_keys(text, catalog.solvers);
  replace_keys(text, catalog.projectors);
  replace_keys(text, catalog.matrix_formats);
  replace_keys(text, catalog.priors);
  replace_keys(text, catalog.corrections);
  return text;
}

}  // namespace gantry
