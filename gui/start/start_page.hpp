#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/catalog.hpp"
#include "gui/data/lessons.hpp"
#include "gui/worker/latest_job.hpp"

#include <QImage>
#include <QWidget>

#include <functional>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace gantry {

class FileActions;

/// What the window shows while nothing is open: where to drop a file, what was open last, recent
/// files, the demo and the lessons, as cards with pictures. Pictures of lessons are computed once,
/// in the background, and kept in the folder of caches.
class StartPage : public QWidget {
  Q_OBJECT
 public:
  StartPage(const Catalog& catalog, const BackendList& backends, FileActions& files,
            QWidget* parent = nullptr);

  /// A session of an earlier window.
  struct Session {
    QString name;
    QImage picture;
    std::function<void()> open;
  };
  /// Offers to continue these sessions, the latest first.
  void setSessions(std::vector<Session> sessions);
  /// Shows the recent files as they are now.
  void refresh();

 signals:
  void demoChosen();
  void lessonChosen(const gantry::Lesson& lesson);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* makeFirstRow();
  QWidget* makeDropArea();
  void makeLessons();
  QToolButton* makeCard(const QString& name, const QString& title, const QString& tip);
  void setPicture(QToolButton* card, const QImage& picture);
  void showSessions();
  void orderTabs();
  void makePictures();

  /// A picture to be computed.
  struct Wanted {
    QToolButton* card;
    QString name;  ///< in the folder of caches
    Experiment experiment;
  };

  const Catalog& catalog_;
  const BackendList& backends_;
  FileActions& files_;
  std::vector<Lesson> lessons_;
  std::vector<Session> sessions_;
  std::vector<Wanted> wanted_;
  QToolButton* continue_;
  QToolButton* more_;  // sessions before the last
  QToolButton* demo_;
  QLabel* recentTitle_;
  QGridLayout* recent_;
  QGridLayout* lessonCards_;
  LatestJob job_;
};

}  // namespace gantry
