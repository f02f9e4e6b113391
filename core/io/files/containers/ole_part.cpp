#include "core/io/files/containers/ole_part.hpp"

#include "core/base/error.hpp"
#include "core/io/files/containers/ole_reader.hpp"

#include <optional>

namespace gantry {

namespace {

class OlePart final : public DecoderPart {
 public:
  wire::Answer answer(const wire::Request& request, const std::string& text,
                      DecoderResults& results) override {
    if (request.what == wire::What::ole_open) {
      file_.emplace(text);
      return {};
    }
    if (!file_) throw UsageError("no file is open", "gantry-decoder");
    if (request.what == wire::What::ole_read) {
      file_->read(text, results.room(request.count));
      return {wire::Outcome::done, 0, request.count};
    }
    const std::optional<std::uint64_t> bytes = file_->bytes_of(text);
    if (!bytes) return {wire::Outcome::nothing, 0, 0};
    wire::Packer packer;
    packer.number(*bytes);
    return results.packed(packer.bytes);
  }

 private:
  std::optional<OleReader> file_;
};

}  // namespace

std::unique_ptr<DecoderPart> ole_part() { return std::make_unique<OlePart>(); }

}  // namespace gantry
