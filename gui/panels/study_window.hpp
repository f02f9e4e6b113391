#pragma once

#include "core/studies/study.hpp"

#include <QDialog>

#include <memory>
#include <thread>

class QLabel;
class QTabWidget;

namespace gantry {

/// A published table or figure computed anew while one looks on: tables with the printed values
/// beside ours, and charts. Computing takes seconds and has a thread of its own, which the window's
/// end waits for.
class StudyWindow : public QDialog {
  Q_OBJECT
 public:
  StudyWindow(const Study& study, QWidget* parent = nullptr);

  bool isComputing() const { return computing_; }
  const QTabWidget& pages() const { return *pages_; }

 private:
  void showResult(const StudyResult& result);
  void addTable(const StudyTable& table);
  void addChart(const StudyChart& chart);

  bool computing_ = true;
  QLabel* text_;
  QTabWidget* pages_;
  std::jthread thread_;  // last: it is waited for before anything else goes
};

}  // namespace gantry
