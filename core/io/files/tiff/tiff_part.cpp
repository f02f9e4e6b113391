#include "core/io/files/tiff/tiff_part.hpp"

#include "core/base/error.hpp"
#include "core/io/files/tiff/tiff_reader.hpp"

#include <cstring>
#include <optional>

namespace gantry {

namespace {

static_assert(sizeof(TiffOpened) <= wire::values_at);

class TiffPart final : public DecoderPart {
 public:
  wire::Answer answer(const wire::Request& request, const std::string& text,
                      DecoderResults& results) override {
    const int index = static_cast<int>(request.index);
    if (request.what == wire::What::tiff_open) {
      file_.emplace(text);
      TiffOpened opened{file_->page(0), file_->count(), {}, file_->resolution()};
      return request.count == 1 ? values(index, opened.loaded, opened, results)
                                : structure(opened, results);
    }
    if (!file_) throw UsageError("no file is open", "gantry-decoder");
    TiffPage loaded;
    switch (request.what) {
      case wire::What::tiff_page:
        return structure(file_->page(index), results);
      case wire::What::tiff_values:
        return values(index, loaded, loaded, results);
      default:
        return results.packed(file_->description());
    }
  }

 private:
  template <class Structure>
  static wire::Answer structure(const Structure& held, DecoderResults& results) {
    results.write(&held, sizeof held);
    return {wire::Outcome::done, 0, sizeof held};
  }

  /// Puts the page into `held`, which is or is part of `head`, with which the result begins.
  template <class Structure>
  wire::Answer values(int index, TiffPage& held, const Structure& head, DecoderResults& results) {
    held = file_->allowed_page(index);
    const std::span<std::byte> room = results.room(wire::values_at + held.bytes());
    std::memcpy(room.data(), &head, sizeof head);
    file_->read(index, room.subspan(wire::values_at));
    return {wire::Outcome::done, 0, sizeof head};
  }

  std::optional<TiffReader> file_;
};

}  // namespace

std::unique_ptr<DecoderPart> tiff_part() { return std::make_unique<TiffPart>(); }

}  // namespace gantry
