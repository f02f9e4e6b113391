#include "core/io/dicom/pixels/decoder_warnings.hpp"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/oflog/appender.h>
#include <dcmtk/oflog/logger.h>
#include <dcmtk/oflog/oflog.h>
#include <dcmtk/oflog/spi/logevent.h>

#include <algorithm>
#include <mutex>

namespace gantry {

namespace {

namespace log = dcmtk::log4cplus;

constexpr std::size_t most_lines = 20;

thread_local std::vector<std::string>* collecting = nullptr;

/// Adds each warning to the lines that `collecting` names on the thread that issued the warning.
class Collector : public log::Appender {
 public:
  ~Collector() override { destructorImpl(); }
  void close() override { closed = true; }

 protected:
  void append(const log::spi::InternalLoggingEvent& event) override {
    if (collecting == nullptr) return;
    const auto& message = event.getMessage();
    std::string line(message.data(), message.size());
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    if (collecting->size() < most_lines &&
        std::ranges::find(*collecting, line) == collecting->end())
      collecting->push_back(line);
  }
};

void install() {
  log::SharedAppenderPtr collector(new Collector);
  for (const char* name : {"dcmtk.dcmjpeg", "dcmtk.dcmjpls"}) {
    log::Logger logger = OFLog::getLogger(name);
    logger.setAdditivity(false);  // keeps the warnings off the terminal
    logger.setLogLevel(log::WARN_LOG_LEVEL);
    logger.addAppender(collector);
  }
}

}  // namespace

DecoderWarnings::DecoderWarnings() {
  static std::once_flag once;
  std::call_once(once, install);
  collecting = &lines_;
}

DecoderWarnings::~DecoderWarnings() { collecting = nullptr; }

std::string DecoderWarnings::of_damage() const {
  // The words by which the Independent JPEG Group's library reports invented or skipped data.
  constexpr const char* damage[] = {"Corrupt JPEG data", "Premature end"};
  for (const std::string& line : lines_)
    for (const char* word : damage)
      if (line.find(word) != std::string::npos) return line;
  return {};
}

}  // namespace gantry
