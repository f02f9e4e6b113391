#include "gui/worker/latest_job.hpp"

#include "core/base/thread_priority.hpp"

namespace gantry {

LatestJob::~LatestJob() {
  cancel();
  threads_.clear();  // joins the threads, which end soon because they were interrupted
}

void LatestJob::cancel() {
  if (interrupt_ != nullptr) interrupt_->raise();
  interrupt_.reset();
  ++ticket_;
  busy_ = false;
}

void LatestJob::launch(std::function<Report(const Interrupt&)> work) {
  cancel();
  interrupt_ = std::make_shared<Interrupt>();
  busy_ = true;
  const int ticket = ticket_;
  threads_[ticket] = std::jthread([this, ticket, work = std::move(work), interrupt = interrupt_] {
    give_way_to_interaction();
    Report report;
    try {
      report = work(*interrupt);
    } catch (const Interrupted&) {
      // Newer work has been started, or the work was cancelled.
    }
    QMetaObject::invokeMethod(
        this, [this, ticket, report] { finish(ticket, report); }, Qt::QueuedConnection);
  });
}

void LatestJob::finish(int ticket, const Report& report) {
  threads_.erase(ticket);
  if (ticket != ticket_) return;
  busy_ = false;
  if (report) report();
}

}  // namespace gantry
