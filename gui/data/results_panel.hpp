#pragma once

#include <QWidget>

namespace gantry {

class FileActions;

/// The last step: buttons that save volumes, scan, curves, the session and the experiment. A
/// disabled button says in its tool tip what would enable it.
class ResultsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ResultsPanel(FileActions& files, QWidget* parent = nullptr);
};

}  // namespace gantry
