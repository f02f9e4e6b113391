#pragma once

#include "gui/widgets/number_box.hpp"

namespace gantry {

/// Returns a field for a number of iterations, which names them: "1 iteration", "20 iterations".
inline QSpinBox* iterationsBox(QWidget* parent) {
  auto* box = new WholeBox(parent);
  const auto show_unit = [box] {
    box->setSuffix(box->value() == 1 ? QObject::tr(" iteration") : QObject::tr(" iterations"));
  };
  box->setRange(1, 1000000);
  QObject::connect(box, &QSpinBox::valueChanged, box, show_unit);
  show_unit();
  return box;
}

}  // namespace gantry
