#pragma once

#include <QDialog>

namespace gantry {

/// The list of all keys, which stays open beside the window until it is closed.
class KeyHelp : public QDialog {
  Q_OBJECT
 public:
  explicit KeyHelp(QWidget* parent);
};

}  // namespace gantry
