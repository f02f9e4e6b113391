#pragma once

namespace gantry {

/// Makes a device the calling thread's current one. Begins every public operation on a device,
/// since any thread may call. Scopes nest: the inner one gives the device back to the outer. The
/// outermost leaves it current: to return to a device that nobody uses would start it. Throws
/// DeviceError when the device is lost.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

  /// Of the innermost scope of this thread; -1 outside of all.
  static int current();

 private:
  int device_, outer_;
};

}  // namespace gantry
