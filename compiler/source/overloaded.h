// One visitor of a variant out of several functions.
#pragma once

namespace gpol {

template <class... Fs>
struct overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
overloaded(Fs...) -> overloaded<Fs...>;

}  // namespace gpol
