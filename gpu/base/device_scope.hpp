#pragma once

namespace gantry {

/// Makes a device current for the calling thread. Every public operation on a device begins with a
/// DeviceScope, since any thread may call the operation. Scopes nest: the end of an inner scope
/// makes the device of the outer one current again. The end of the outermost scope leaves its
/// device current, because to switch back to a device that is not in use would initialise that
/// device. Throws DeviceError when the device is lost.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

  /// Returns the device of the innermost scope of this thread; -1 outside all scopes.
  static int current();

 private:
  int device_, outer_;
};

}  // namespace gantry
