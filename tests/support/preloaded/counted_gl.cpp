// A library to be loaded before a program that draws on an X server (LD_PRELOAD): counts the OpenGL
// contexts that exist and the objects in them: textures, buffers, frame buffers, render buffers,
// arrays of vertices, queries, samplers, shaders and programs. The program reads both numbers by
// counted_gl_contexts() and counted_gl_objects(). The objects of a context end with it, since no
// contexts of the program share objects.
#include <cstddef>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

namespace {

using Name = unsigned int;
using Function = void (*)();
using Object = std::pair<const char*, Name>;  // kind and name

struct Counted {
  std::mutex mutex;
  std::map<void*, std::set<Object>> contexts;
};

Counted& counted() {
  static Counted the;
  return the;
}

void* library_function(const char* name) {
  if (void* found = dlsym(RTLD_NEXT, name)) return found;
  static void* const library = dlopen("libGL.so.1", RTLD_NOW);
  return library == nullptr ? nullptr : dlsym(library, name);
}

template <class F>
F real(const char* name) {
  using Get = Function (*)(const unsigned char*);
  static const auto get = reinterpret_cast<Get>(library_function("glXGetProcAddressARB"));
  return reinterpret_cast<F>(get(reinterpret_cast<const unsigned char*>(name)));
}

void* current_context() {
  static const auto get = reinterpret_cast<void* (*)()>(library_function("glXGetCurrentContext"));
  return get();
}

void add(const char* kind, Name name) {
  const std::lock_guard lock(counted().mutex);
  counted().contexts[current_context()].insert({kind, name});
}

void remove(const char* kind, Name name) {
  const std::lock_guard lock(counted().mutex);
  const auto context = counted().contexts.find(current_context());
  if (context != counted().contexts.end()) context->second.erase({kind, name});
}

}  // namespace

extern "C" {

// Defines the functions that create and delete several objects of a kind.
#define COUNTED_OBJECTS(KIND)                                                    \
  void glGen##KIND(int count, Name* names) {                                     \
    static const auto call = real<void (*)(int, Name*)>("glGen" #KIND);          \
    call(count, names);                                                          \
    for (int i = 0; i < count; ++i) add(#KIND, names[i]);                        \
  }                                                                              \
  void glDelete##KIND(int count, const Name* names) {                            \
    static const auto call = real<void (*)(int, const Name*)>("glDelete" #KIND); \
    for (int i = 0; i < count; ++i) remove(#KIND, names[i]);                     \
    call(count, names);                                                          \
  }
COUNTED_OBJECTS(Textures)
COUNTED_OBJECTS(Buffers)
COUNTED_OBJECTS(Framebuffers)
COUNTED_OBJECTS(Renderbuffers)
COUNTED_OBJECTS(VertexArrays)
COUNTED_OBJECTS(Queries)
COUNTED_OBJECTS(Samplers)
#undef COUNTED_OBJECTS

Name glCreateShader(unsigned int type) {
  static const auto call = real<Name (*)(unsigned int)>("glCreateShader");
  const Name name = call(type);
  add("Shader", name);
  return name;
}
void glDeleteShader(Name name) {
  static const auto call = real<void (*)(Name)>("glDeleteShader");
  remove("Shader", name);
  call(name);
}
Name glCreateProgram() {
  static const auto call = real<Name (*)()>("glCreateProgram");
  const Name name = call();
  add("Program", name);
  return name;
}
void glDeleteProgram(Name name) {
  static const auto call = real<void (*)(Name)>("glDeleteProgram");
  remove("Program", name);
  call(name);
}

void glXDestroyContext(void* display, void* context) {
  using Destroy = void (*)(void*, void*);
  static const auto call = reinterpret_cast<Destroy>(library_function("glXDestroyContext"));
  call(display, context);
  const std::lock_guard lock(counted().mutex);
  counted().contexts.erase(context);
}

Function glXGetProcAddressARB(const unsigned char* name) {
  static const std::map<std::string_view, Function> ours = {
#define OURS(NAME) {#NAME, reinterpret_cast<Function>(NAME)}
#define OURS_OF(KIND) OURS(glGen##KIND), OURS(glDelete##KIND)
      OURS_OF(Textures),     OURS_OF(Buffers),      OURS_OF(Framebuffers), OURS_OF(Renderbuffers),
      OURS_OF(VertexArrays), OURS_OF(Queries),      OURS_OF(Samplers),     OURS(glCreateShader),
      OURS(glDeleteShader),  OURS(glCreateProgram), OURS(glDeleteProgram), OURS(glXDestroyContext)};
#undef OURS_OF
#undef OURS
  const auto found = ours.find(reinterpret_cast<const char*>(name));
  if (found != ours.end()) return found->second;
  return real<Function>(reinterpret_cast<const char*>(name));
}
Function glXGetProcAddress(const unsigned char* name) { return glXGetProcAddressARB(name); }

int counted_gl_contexts() {
  const std::lock_guard lock(counted().mutex);
  return static_cast<int>(counted().contexts.size());
}

int counted_gl_objects() {
  const std::lock_guard lock(counted().mutex);
  std::size_t objects = 0;
  for (const auto& [context, living] : counted().contexts) objects += living.size();
  return static_cast<int>(objects);
}
}
