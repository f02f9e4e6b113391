#pragma once

#include "tests/support/small_files.hpp"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <algorithm>
#include <string>
#include <vector>

namespace gantry::test {

/// Returns the header of a scan of 3 views, 2 rows and 4 columns.
inline QJsonObject small_scan() {
  return {{"format", "gantry-scan"},
          {"version", 1},
          {"geometry", QJsonObject{{"beam", "fan"},
                                   {"detector", "flat"},
                                   {"trajectory", "circular"},
                                   {"source_to_isocenter_mm", 100.0},
                                   {"source_to_detector_mm", 150.0},
                                   {"detector_columns", 4},
                                   {"detector_rows", 2},
                                   {"column_pitch_mm", 2.0},
                                   {"row_pitch_mm", 3.0},
                                   {"central_column", 1.25},
                                   {"central_row", 0.5},
                                   {"view_angles_deg", QJsonArray{0, 90.5, -30}}}},
          {"data", QJsonObject{{"file", "small.f32"},
                               {"type", "float32"},
                               {"byte_order", "little"},
                               {"order", "view,row,column"},
                               {"quantity", "line_integral"}}}};
}

/// Returns the object with the value at a path such as "geometry.beam"; an undefined value removes
/// the field.
inline QJsonObject with(QJsonObject object, const QString& path, const QJsonValue& value) {
  const QString key = path.section('.', 0, 0), rest = path.section('.', 1);
  if (!rest.isEmpty())
    object[key] = with(object[key].toObject(), rest, value);
  else if (value.isUndefined())
    object.remove(key);
  else
    object[key] = value;
  return object;
}

/// A temporary folder with small.scan.json and its data.
class ScanFolder {
 public:
  std::string path(const QString& name = "small.scan.json") const {
    return folder_.filePath(name).toStdString();
  }
  void put(const QString& name, const QByteArray& bytes) const { write_file(path(name), bytes); }
  void put_json(const QJsonObject& json) const {
    put("small.scan.json", QJsonDocument(json).toJson());
  }
  template <class T>
  void put_data(const std::vector<T>& values, bool reversed = false) const {
    QByteArray bytes(reinterpret_cast<const char*>(values.data()),
                     static_cast<qsizetype>(values.size() * sizeof(T)));
    if (reversed)
      for (qsizetype i = 0; i < bytes.size(); i += static_cast<qsizetype>(sizeof(T)))
        std::reverse(bytes.begin() + i, bytes.begin() + i + static_cast<qsizetype>(sizeof(T)));
    put("small.f32", bytes);
  }
  QStringList names() const {
    return QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  }

 private:
  QTemporaryDir folder_;
};

inline std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = 0.25F * static_cast<float>(i) - 1;
  return values;
}

}  // namespace gantry::test
