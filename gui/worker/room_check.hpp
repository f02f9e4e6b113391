#pragma once

#include "gui/worker/latest_job.hpp"
#include "gui/worker/run_controller.hpp"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace gantry {

/// Tells, before anything is computed, whether runs of the experiment as it stands in the forms
/// could have room at all. It asks what the command line asks, on a thread of its own, of what the
/// host and the devices have free and what the present runs would give back.
class RoomCheck : public QObject {
  Q_OBJECT
 public:
  RoomCheck(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
            RunController& controller, QObject* parent = nullptr);

  /// These runs would start anew. The answer comes as refused().
  void ask(const std::vector<int>& runs);

 signals:
  void refused(const QString& why);  ///< one line; empty: nothing speaks against it

 private:
  struct Question {
    Experiment experiment;  ///< with those runs alone
    std::shared_ptr<const ExperimentData> data;
    std::size_t held = 0;
    friend bool operator==(const Question&, const Question&) = default;
  };

  const Catalog& catalog_;
  const BackendList& backends_;
  ExperimentModel& model_;
  RunController& controller_;
  std::optional<Question> asked_;
  LatestJob job_;
};

}  // namespace gantry
