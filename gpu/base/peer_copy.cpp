#include "gpu/base/peer_copy.hpp"

#include "gpu/base/event.hpp"

namespace gantry {

namespace {

void let_reach(const CudaBackend& owner, const CudaBackend& visitor) {
  int possible = 0;
  check(cudaDeviceCanAccessPeer(&possible, visitor.device(), owner.device()), "ask for GPU links");
  if (possible == 0) return;
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = visitor.device();
  access.flags = cudaMemAccessFlagsProtReadWrite;
  check(cudaMemPoolSetAccess(owner.pool(), &access, 1), "link two GPUs");
}

/// Makes work queued on `second` from now on wait for the work already queued on `first`.
void order(const CudaBackend& first, const CudaBackend& second) {
  const DeviceScope scope(first.device());
  Event done;
  done.record(first.stream());
  done.hold(second.stream());
}

}  // namespace

void connect_devices(const CudaBackend& one, const CudaBackend& other) {
  if (one.device() == other.device()) return;
  let_reach(one, other);
  let_reach(other, one);
}

void copy_between(const CudaBackend& from, const void* source, const CudaBackend& to, void* target,
                  std::size_t bytes) {
  if (bytes == 0) return;
  order(from, to);
  {
    const DeviceScope scope(to.device());
    check(cudaMemcpyPeerAsync(target, to.device(), source, from.device(), bytes, to.stream()),
          "copy between GPUs");
  }
  order(to, from);
}

}  // namespace gantry
