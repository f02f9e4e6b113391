#include "core/io/files/decoder/wire.hpp"

#include "core/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <utility>

namespace gantry::wire {

void Packer::number(std::uint64_t value) { append(&value, sizeof value); }

void Packer::text(const std::string& value) {
  number(value.size());
  append(value.data(), value.size());
}

void Packer::lines(const std::vector<std::string>& values) {
  number(values.size());
  for (const std::string& value : values) text(value);
}

void Packer::append(const void* data, std::size_t count) {
  bytes.append(static_cast<const char*>(data), count);
}

std::uint64_t Unpacker::number() {
  std::uint64_t value = 0;
  std::memcpy(&value, take(sizeof value).data(), sizeof value);
  return value;
}

std::string Unpacker::text() { return std::string(take(number())); }

std::vector<std::string> Unpacker::lines() {
  std::vector<std::string> values;
  for (std::uint64_t left = number(); left > 0; --left) values.push_back(text());
  return values;
}

void Unpacker::fail() {
  throw InputError("the decoder's answer cannot be understood", {}, "start the program again");
}

std::string_view Unpacker::take(std::uint64_t count) {
  if (count > rest_.size()) fail();
  const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
  rest_.remove_prefix(taken.size());
  return taken;
}

std::string pack(const std::vector<std::string>& lines) {
  Packer packer;
  packer.lines(lines);
  return std::move(packer.bytes);
}

std::vector<std::string> unpack_lines(std::string_view bytes) { return Unpacker(bytes).lines(); }

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
