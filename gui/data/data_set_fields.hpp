#pragma once

#include "core/io/imports/import_scan.hpp"
#include "core/job/experiment.hpp"

#include <QObject>
#include <QString>

#include <array>
#include <functional>
#include <string>
#include <vector>

class QComboBox;
class QFormLayout;

namespace gantry {

/// The rows of the import form that name data sets in an HDF5 file: of projections, flats, darks
/// and angles. Each lists what the file holds, and takes a path that is typed. Hidden for files of
/// other formats.
class DataSetFields : public QObject {
  Q_OBJECT
 public:
  explicit DataSetFields(QFormLayout* form);

  /// Shows the settings for a file or folder; an empty path: nothing that is imported.
  void show(const std::string& path, const DataSetPaths& paths);

 signals:
  /// The user has chosen or typed other paths.
  void chosen(const DataSetPaths& paths);

 private:
  struct Field {
    std::string DataSetPaths::*path;
    QComboBox* box;
    bool takesLists;  ///< lists of numbers, instead of images
  };
  Field addField(const QString& name, const QString& label, const QString& tip,
                 std::string DataSetPaths::*path, bool takesLists);
  void list(const std::vector<DataSetEntry>& entries);
  void showPaths();
  void take(const Field& field);

  QFormLayout* form_;
  std::array<Field, 4> fields_;
  std::string file_;  ///< whose data sets are listed; empty: none
  DataSetPaths paths_;
};

/// Calls `done` with the source, on the GUI thread. Where several data sets of its file may be the
/// projections, it names the largest, instead of leaving the file to be refused, and a line says
/// so. Calls nothing when `context` has been destroyed in the meantime.
void name_data_set(QObject* context, const SourceSpec& source,
                   const std::function<void(const SourceSpec&, const QString& said)>& done);

}  // namespace gantry
