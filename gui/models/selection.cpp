#include "gui/models/selection.hpp"

namespace gantry {

void Selection::selectRun(int id) {
  run_ = id;
  emit runSelected(id);
}

void Selection::pointAtView(int view) { emit viewPointedAt(view); }

void Selection::askForSweep(const QString& parameter) { emit sweepWanted(parameter); }

}  // namespace gantry
