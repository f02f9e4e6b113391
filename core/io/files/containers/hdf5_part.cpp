#include "core/io/files/containers/hdf5_part.hpp"

#include "core/base/error.hpp"
#include "core/io/files/containers/hdf5_reader.hpp"

#include <optional>
#include <vector>

namespace gantry {

namespace {

class Hdf5Part final : public DecoderPart {
 public:
  wire::Answer answer(const wire::Request& request, const std::string& text,
                      DecoderResults& results) override {
    if (request.what == wire::What::hdf5_open) {
      file_.emplace(text);
      return results.packed(wire::pack(file_->listing()));
    }
    if (!file_) throw UsageError("no file is open", "gantry-decoder");
    if (request.what == wire::What::hdf5_box)
      return box(wire::unpack_elements(text), request.count, results);
    std::vector<std::string> names = wire::unpack_lines(text);
    names.resize(2);
    const std::string &path = names[0], &name = names[1];
    switch (request.what) {
      case wire::What::hdf5_numbers:
        return numbers(dataset(path), results);
      case wire::What::hdf5_frame:
        return frame(dataset(path), request, results);
      case wire::What::hdf5_text:
        return text_or_nothing(file_->text(dataset(path)), results);
      case wire::What::hdf5_text_attribute:
        return text_or_nothing(file_->text_attribute(path, name), results);
      case wire::What::hdf5_number_attribute:
        return number_or_nothing(file_->number_attribute(path, name), results);
      default:
        return {file_->has_attribute(path, name) ? wire::Outcome::done : wire::Outcome::nothing, 0,
                0};
    }
  }

 private:
  const Hdf5Dataset& dataset(const std::string& path) const {
    const Hdf5Dataset* found = file_->listing().find(path);
    if (found == nullptr)
      throw InputError("there is no such data set", path, "open the file again");
    return *found;
  }

  wire::Answer numbers(const Hdf5Dataset& dataset, DecoderResults& results) const {
    const std::vector<double> values = file_->numbers(dataset);
    const std::size_t bytes = values.size() * sizeof(double);
    results.write(values.data(), bytes);
    return {wire::Outcome::done, 0, bytes};
  }

  /// The library writes the numbers to where the other program reads them.
  wire::Answer frame(const Hdf5Dataset& dataset, const wire::Request& request,
                     DecoderResults& results) const {
    if (dataset.elements(1) != request.count)
      throw InputError("frames have another size now", dataset.path, "open the file again");
    const std::size_t bytes = request.count * bytes_of(dataset.type);
    file_->read_frame(dataset, request.index, results.room(bytes));
    return {wire::Outcome::done, 0, bytes};
  }

  wire::Answer box(const wire::Hdf5Elements& elements, std::uint64_t count,
                   DecoderResults& results) const {
    const Hdf5Dataset& from = dataset(elements.path);
    std::uint64_t asked = 1;
    for (const AxisRange& range : elements.box) asked *= range.count;
    if (asked != count) wire::Unpacker::fail();
    const std::size_t bytes = count * bytes_of(from.type);
    file_->read_box(from, elements.box, results.room(bytes));
    return {wire::Outcome::done, 0, bytes};
  }

  static wire::Answer text_or_nothing(const std::optional<std::string>& text,
                                      DecoderResults& results) {
    if (!text) return {wire::Outcome::nothing, 0, 0};
    return results.packed(*text);
  }

  static wire::Answer number_or_nothing(const std::optional<double>& number,
                                        DecoderResults& results) {
    if (!number) return {wire::Outcome::nothing, 0, 0};
    results.write(&*number, sizeof *number);
    return {wire::Outcome::done, 0, sizeof *number};
  }

  std::optional<Hdf5Reader> file_;
};

}  // namespace

std::unique_ptr<DecoderPart> hdf5_part() { return std::make_unique<Hdf5Part>(); }

}  // namespace gantry
