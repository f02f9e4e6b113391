#include "gui/worker/latest_job.hpp"

namespace gantry {

LatestJob::~LatestJob() {
  cancel();
  threads_.clear();  // waits until they have given way
}

void LatestJob::cancel() {
  if (interrupt_ != nullptr) interrupt_->raise();
  interrupt_.reset();
  ++ticket_;
  busy_ = false;
}

void LatestJob::launch(std::function<Tell(const Interrupt&)> work) {
  cancel();
  interrupt_ = std::make_shared<Interrupt>();
  busy_ = true;
  const int ticket = ticket_;
  threads_[ticket] = std::jthread([this, ticket, work = std::move(work), interrupt = interrupt_] {
    Tell tell;
    try {
      tell = work(*interrupt);
    } catch (const Interrupted&) {
      // Another has taken its place.
    }
    QMetaObject::invokeMethod(
        this, [this, ticket, tell] { finish(ticket, tell); }, Qt::QueuedConnection);
  });
}

void LatestJob::finish(int ticket, const Tell& tell) {
  threads_.erase(ticket);
  if (ticket != ticket_) return;
  busy_ = false;
  if (tell) tell();
}

}  // namespace gantry
