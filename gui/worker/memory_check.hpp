#pragma once

#include "gui/worker/latest_job.hpp"
#include "gui/worker/run_controller.hpp"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace gantry {

/// Finds out, before anything is computed, whether the memory suffices for runs of the experiment
/// as it stands in the forms. The check is that of the command line (require_run_memory), made on a
/// thread of its own; memory that the present runs would release counts as free.
class MemoryCheck : public QObject {
  Q_OBJECT
 public:
  MemoryCheck(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
              RunController& controller, QObject* parent = nullptr);

  /// Checks the memory for these runs, which would start from zero. refused() reports the result.
  void ask(const std::vector<int>& runs);

 signals:
  void refused(const QString& why);  ///< the reason in one line; empty if none is known

 private:
  struct Question {
    Experiment experiment;  ///< with those runs only
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
