#include "core/io/files/containers/ole_file.hpp"

#include "core/io/files/containers/ole_reader.hpp"
#include "core/io/files/decoder/decoded_file.hpp"

#include <mutex>

namespace gantry {

struct OleFile::Impl {
  explicit Impl(const std::string& path) : apart(path, wire::What::ole_open) {
    if (DecoderProcess::is_unwanted())
      here.emplace(path);
    else
      apart.open();
  }

  /// Returns a request about a stream.
  DecoderRequest about(wire::What what, const std::string& stream) const {
    return apart.request(what, stream, ": " + stream);
  }

  std::optional<OleReader> here;  // where no decoder is wanted
  std::mutex mutex;               // of what follows
  DecodedFile apart;
};

OleFile::OleFile(const std::string& path) : path_(path), impl_(std::make_unique<Impl>(path)) {}
OleFile::~OleFile() = default;

std::optional<std::uint64_t> OleFile::bytes_of(const std::string& stream) const {
  if (impl_->here) return impl_->here->bytes_of(stream);
  const std::scoped_lock lock(impl_->mutex);
  const wire::Answer answer = impl_->apart.ask(impl_->about(wire::What::ole_bytes, stream));
  if (answer.outcome == wire::Outcome::nothing) return std::nullopt;
  const std::string result = impl_->apart.process().result_of(answer);
  return wire::Unpacker(result).number();
}

void OleFile::read(const std::string& stream, std::span<std::byte> bytes) const {
  if (impl_->here) return impl_->here->read(stream, bytes);
  DecoderRequest request = impl_->about(wire::What::ole_read, stream);
  request.count = bytes.size();
  const std::scoped_lock lock(impl_->mutex);
  impl_->apart.ask(request);
  impl_->apart.process().copy_result(bytes.data(), bytes.size(), 0);
}

bool begins_ole(std::string_view start) {
  constexpr std::string_view mark("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8);
  return start.starts_with(mark);
}

}  // namespace gantry
