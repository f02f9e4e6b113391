#include "core/io/dicom/decoder/wire.hpp"

#include "core/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <utility>

namespace gantry::wire {

namespace {

constexpr int deepest = 100;  // levels of nested attributes; load_dicom_tree() allows 64

class Packer {
 public:
  void number(std::uint64_t value) { append(&value, sizeof value); }
  void text(const std::string& value) {
    number(value.size());
    append(value.data(), value.size());
  }
  void attributes(const DicomAttributes& from) {
    number(from.values.size());
    for (const auto& [tag, value] : from.values) {
      number(tag);
      text(value);
    }
    number(from.sequences.size());
    for (const auto& [tag, items] : from.sequences) {
      number(tag);
      number(items.size());
      for (const DicomAttributes& item : items) attributes(item);
    }
  }
  std::string bytes;

 private:
  void append(const void* data, std::size_t count) {
    bytes.append(static_cast<const char*>(data), count);
  }
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(number())); }
  DicomAttributes attributes(int depth = 0) {
    if (depth > deepest) fail();
    DicomAttributes result;
    for (std::uint64_t left = number(); left > 0; --left) {
      const auto tag = static_cast<std::uint32_t>(number());
      result.values[tag] = text();
    }
    for (std::uint64_t left = number(); left > 0; --left) {
      std::vector<DicomAttributes>& items = result.sequences[static_cast<std::uint32_t>(number())];
      for (std::uint64_t more = number(); more > 0; --more) items.push_back(attributes(depth + 1));
    }
    return result;
  }

 private:
  [[noreturn]] static void fail() {
    throw InputError("the decoder's answer cannot be understood", {}, "start the program again");
  }
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
};

}  // namespace

std::string pack(const DicomHeader& header) {
  Packer packer;
  packer.text(header.path);
  packer.attributes(header.meta);
  packer.attributes(header.data);
  return std::move(packer.bytes);
}

DicomHeader unpack_header(std::string_view bytes) {
  Unpacker unpacker(bytes);
  DicomHeader header;
  header.path = unpacker.text();
  header.meta = unpacker.attributes();
  header.data = unpacker.attributes();
  return header;
}

std::string pack(const std::vector<std::string>& lines) {
  Packer packer;
  packer.number(lines.size());
  for (const std::string& line : lines) packer.text(line);
  return std::move(packer.bytes);
}

std::vector<std::string> unpack_lines(std::string_view bytes) {
  Unpacker unpacker(bytes);
  std::vector<std::string> lines;
  for (std::uint64_t left = unpacker.number(); left > 0; --left) lines.push_back(unpacker.text());
  return lines;
}

bool send_all(int socket, const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = send(socket, from, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    from += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, void* data, std::size_t bytes) {
  char* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = recv(socket, to, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace gantry::wire
