#include "core/io/files/tiff/tiff_pages.hpp"

#include "core/base/error.hpp"
#include "core/io/files/decoder/decoded_file.hpp"
#include "core/io/files/decoder/limits.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/tiff/tiff_calibration.hpp"
#include "core/io/files/tiff/tiff_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <tiff.h>
#include <vector>

namespace gantry {

namespace {

template <class Number>
void convert(std::span<const std::byte> stored, std::span<float> into) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    Number value;
    std::memcpy(&value, stored.data() + i * sizeof value, sizeof value);
    into[i] = static_cast<float>(value);
  }
}

/// Converts the values with which `stored` begins, of the type of a page.
void convert(const TiffPage& page, std::span<const std::byte> stored, std::span<float> into) {
  const bool is_signed = page.type == SAMPLEFORMAT_INT;
  if (page.type == SAMPLEFORMAT_IEEEFP)
    return page.bits == 32 ? convert<float>(stored, into) : convert<double>(stored, into);
  if (page.bits == 8)
    return is_signed ? convert<std::int8_t>(stored, into) : convert<std::uint8_t>(stored, into);
  if (page.bits == 16)
    return is_signed ? convert<std::int16_t>(stored, into) : convert<std::uint16_t>(stored, into);
  return is_signed ? convert<std::int32_t>(stored, into) : convert<std::uint32_t>(stored, into);
}

/// Returns the structure with which the decoder's last result begins.
template <class Structure>
Structure taken_from(DecoderProcess& decoder) {
  Structure held;
  decoder.copy_result(&held, sizeof held, 0);
  return held;
}

}  // namespace

std::string TiffPage::numbers_text() const {
  return std::to_string(bits) + "-bit " +
         (type == SAMPLEFORMAT_IEEEFP ? "floating-point"
          : type == SAMPLEFORMAT_INT  ? "signed whole"
                                      : "whole") +
         " numbers";
}

Certainty tiff_certainty(std::string_view start) {
  using namespace std::string_view_literals;
  // The preamble of DICOM may hold the mark of TIFF (DICOM PS3.10, 7.1).
  constexpr std::size_t preamble = 128;
  if (start.size() > preamble && start.substr(preamble).starts_with("DICM")) return Certainty::none;
  for (const std::string_view mark : {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv})
    if (start.starts_with(mark)) return Certainty::certain;
  return Certainty::none;
}

struct TiffPages::Impl {
  /// Whether the request that opens a file may load a page of it: one that does not take long.
  static bool may_be_loaded_at_once(const std::string& file) {
    constexpr std::size_t large = 50'000'000;  // bytes
    return size_of_file(file) < large;
  }

  Impl(const std::string& file, const Interrupt* interrupt)
      : apart(file, wire::What::tiff_open, interrupt) {
    open(file, nullptr);
  }

  /// Opens a file. Where it is not large, the page whose index is given is loaded too, since each
  /// request takes time.
  void open(const std::string& file, const int* page) {
    path.clear();
    opened = {};
    if (DecoderProcess::is_unwanted()) {
      opened.first = here.emplace(file).page(0);
      opened.pages = here->count();
      opened.resolution = here->resolution();
    } else {
      const bool loads = page != nullptr && may_be_loaded_at_once(file);
      apart.open(file, loads ? static_cast<std::uint64_t>(*page) : 0, loads ? 1 : 0);
      opened = taken_from<TiffOpened>(apart.process());
      loaded_index = loads ? *page : -1;
    }
    path = file;
  }

  /// Asks the decoder about the file, or about a page. Returns the answer; the process has the
  /// result.
  wire::Answer ask(wire::What what, int index = 0) {
    opened.loaded = {};  // the result changes
    loaded_index = -1;
    return apart.ask(request(what, index));
  }
  DecoderRequest request(wire::What what, int index) const {
    DecoderRequest one = apart.request(what, {}, {});
    one.index = static_cast<std::uint64_t>(index);
    one.seconds = std::max(one.seconds, decoding_seconds(opened.first.bytes()));
    return one;
  }
  bool may_ask_ahead(const PageOfFile& next) const {
    return next.path == path || may_be_loaded_at_once(next.path);
  }
  void ask_ahead(const PageOfFile& next) {
    apart.ask_ahead(next.path == path
                        ? request(wire::What::tiff_values, next.index)
                        : apart.opening(next.path, static_cast<std::uint64_t>(next.index), 1));
    opened.loaded = {};  // the result changes
    loaded_index = -1;
  }
  template <class Structure>
  Structure asked(wire::What what, int index = 0) {
    ask(what, index);
    return taken_from<Structure>(apart.process());
  }

  std::string asked_description() {
    const wire::Answer answer = ask(wire::What::tiff_description);
    return apart.process().result_of(answer);
  }

  std::string path;                // of the open file
  std::optional<TiffReader> here;  // where no decoder is wanted
  DecodedFile apart;
  TiffOpened opened;
  int loaded_index = -1;          // of the page in the decoder's result; -1: none
  std::vector<std::byte> stored;  // values of a page that the decoder's result does not hold
};

TiffPages::TiffPages(const std::string& path, const Interrupt* interrupt)
    : impl_(std::make_unique<Impl>(path, interrupt)) {}
TiffPages::~TiffPages() = default;

void TiffPages::open(const std::string& path) {
  if (path != impl_->path) impl_->open(path, nullptr);
}

TiffPage TiffPages::open_and_load(const std::string& path, int index) {
  if (path != impl_->path) impl_->open(path, &index);
  return load(index);
}

const std::string& TiffPages::path() const { return impl_->path; }

int TiffPages::count() const { return impl_->opened.pages; }

TiffPage TiffPages::page(int index) {
  if (index == 0) return impl_->opened.first;
  return impl_->here ? impl_->here->page(index)
                     : impl_->asked<TiffPage>(wire::What::tiff_page, index);
}

TiffPage TiffPages::load(int index) {
  TiffPage& loaded = impl_->opened.loaded;
  if (!impl_->here) {
    if (index == impl_->loaded_index) return loaded;
    loaded = impl_->asked<TiffPage>(wire::What::tiff_values, index);
    impl_->loaded_index = index;
    return loaded;
  }
  loaded = {};
  const TiffPage held = impl_->here->allowed_page(index);
  impl_->stored.resize(held.bytes());
  impl_->here->read(index, impl_->stored);
  return loaded = held;
}

void TiffPages::values(std::span<float> values, const std::optional<PageOfFile>& next) {
  const TiffPage held = impl_->opened.loaded;
  if (values.size() != held.values())
    throw ShapeError("a buffer does not fit the page that was loaded", impl_->path);
  if (values.empty()) return;
  if (impl_->here) return convert(held, impl_->stored, values);
  const std::span<const std::byte> result =
      impl_->apart.process().result(held.bytes(), wire::values_at);
  if (!next || !impl_->may_ask_ahead(*next)) return convert(held, result, values);
  impl_->stored.assign(result.begin(), result.end());  // the next page takes its place
  impl_->ask_ahead(*next);
  convert(held, impl_->stored, values);
}

TiffResolution TiffPages::resolution() const { return impl_->opened.resolution; }

std::map<std::string, std::string> TiffPages::description() {
  return description_in(impl_->here ? impl_->here->description() : impl_->asked_description());
}

}  // namespace gantry
