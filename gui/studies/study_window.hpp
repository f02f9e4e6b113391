#pragma once

#include "core/base/interrupt.hpp"
#include "studies/study.hpp"

#include <QDialog>

#include <memory>
#include <thread>

class QLabel;
class QTabWidget;

namespace gantry {

/// A published table or figure computed anew while one looks on: tables with the printed values
/// beside ours, and charts. Computing takes seconds to minutes and has a thread of its own, which
/// is asked to give way, and waited for, when the window goes.
class StudyWindow : public QDialog {
  Q_OBJECT
 public:
  /// What the options name outlives the window; interrupt and progress are the window's own.
  explicit StudyWindow(const Study& study, StudyOptions options = {}, QWidget* parent = nullptr);
  ~StudyWindow() override;

  bool isComputing() const { return computing_; }
  const QTabWidget& pages() const { return *pages_; }

 private:
  void showResult(const StudyResult& result);
  void addTable(const StudyTable& table);
  void addChart(const StudyChart& chart);

  void showProgress(double done, const QString& what);

  bool computing_ = true;
  Interrupt interrupt_;
  QLabel* text_;
  QTabWidget* pages_;
  std::jthread thread_;  // last: it is waited for before anything else goes
};

}  // namespace gantry
