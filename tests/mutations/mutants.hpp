// Switches of the mutants that tests/mutations/campaign inserts into a copy of the sources: one
// build holds all of them, and the environment variable GANTRY_MUTANT names the one that is on.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <initializer_list>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <type_traits>
#include <unistd.h>

namespace gantry_mutants {

inline int chosen_by_environment() {
  const char* text = std::getenv("GANTRY_MUTANT");
  return text == nullptr ? 0 : std::atoi(text);
}

/// Maps the file of GANTRY_MUTANTS_REACHED, a byte for each number, which all processes of a test
/// share. System calls are made directly: tests count and fail those of the C library.
inline unsigned char* map_reached() {
  const char* path = std::getenv("GANTRY_MUTANTS_REACHED");
  if (path == nullptr) return nullptr;
  const long file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
  if (file < 0) return nullptr;
  constexpr std::size_t most = 1 << 16;
  void* bytes = mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_SHARED, static_cast<int>(file), 0);
  syscall(SYS_close, file);
  return bytes == MAP_FAILED ? nullptr : static_cast<unsigned char*>(bytes);
}

inline const int chosen = chosen_by_environment();
inline unsigned char* const reached = map_reached();

/// Returns whether this mutant is on, and notes that it was asked for.
inline bool mutated(int number) {
  if (reached != nullptr) reached[number] = 1;
  return number == chosen;
}

/// `a < Infix<17, std::less_equal<>>() < b` is `a < b`, and `a <= b` while mutant 17 is on. Any
/// other expression around it keeps its meaning, since the operators have the same precedence.
template <int number, class Other>
struct Infix {};

template <class Left, int number, class Other>
struct Held {
  const Left& left;
};

#define GANTRY_MUTANTS_INFIX(op)                                                  \
  template <class Left, int number, class Other>                                  \
  Held<Left, number, Other> operator op(const Left& left, Infix<number, Other>) { \
    return {left};                                                                \
  }                                                                               \
  template <class Left, int number, class Other, class Right>                     \
  requires requires(const Left& l, const Right& r) { l op r, Other()(l, r); }     \
  auto operator op(Held<Left, number, Other> held, const Right& right) {          \
    using Result = std::decay_t<decltype(held.left op right)>;                    \
    return mutated(number) ? static_cast<Result>(Other()(held.left, right))       \
                           : static_cast<Result>(held.left op right);             \
  }
GANTRY_MUTANTS_INFIX(<)
GANTRY_MUTANTS_INFIX(<=)
GANTRY_MUTANTS_INFIX(>)
GANTRY_MUTANTS_INFIX(>=)
GANTRY_MUTANTS_INFIX(==)
GANTRY_MUTANTS_INFIX(!=)
GANTRY_MUTANTS_INFIX(+)
GANTRY_MUTANTS_INFIX(-)
GANTRY_MUTANTS_INFIX(*)
GANTRY_MUTANTS_INFIX(/)
#undef GANTRY_MUTANTS_INFIX

/// A number literal: one more while its mutant is on, large real numbers twice as large.
template <int number, class Number>
Number changed(Number value) {
  if (!mutated(number)) return value;
  const bool is_large = std::is_floating_point_v<Number> && value > Number(10);
  return is_large ? static_cast<Number>(2 * value) : static_cast<Number>(value + 1);
}

template <int number, std::same_as<bool> Bool>
bool negated(Bool value) {
  return mutated(number) != value;
}

template <int number, class Number, class... Order>
Number least(const Number& a, const Number& b, Order... order) {
  return mutated(number) ? std::max(a, b, order...) : std::min(a, b, order...);
}
template <int number, class Number>
Number least(std::initializer_list<Number> all) {
  return mutated(number) ? std::max(all) : std::min(all);
}
template <int number, class Number, class... Order>
Number largest(const Number& a, const Number& b, Order... order) {
  return mutated(number) ? std::min(a, b, order...) : std::max(a, b, order...);
}
template <int number, class Number>
Number largest(std::initializer_list<Number> all) {
  return mutated(number) ? std::min(all) : std::max(all);
}

}  // namespace gantry_mutants
