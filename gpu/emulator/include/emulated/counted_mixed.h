/* counted_mixed.h: a float that counts beside a double, counting or plain (counted.h). */
#ifndef EMULATED_COUNTED_MIXED_H
#define EMULATED_COUNTED_MIXED_H

namespace emulated
{

/* float beside double is arithmetic in double, and so is float beside a number like 0.5, which lacks its f. */
template <typename T>
using is_double =
    std::integral_constant<bool, std::is_same<T, double>::value || std::is_same<T, counted_double>::value>;
template <typename A, typename B>
using if_mixed = std::enable_if_t<(std::is_same<A, counted_float>::value && is_double<B>::value) ||
                                  (is_double<A>::value && std::is_same<B, counted_float>::value)>;
#define EMULATED_COUNTED_MIXED(result, symbol)                   \
    template <typename A, typename B, typename = if_mixed<A, B>> \
    EMULATED_COUNTING constexpr result operator symbol(A a, B b) \
    {                                                            \
        return counted_double(a) symbol counted_double(b);       \
    }
EMULATED_COUNTED_MIXED(counted_double, +)
EMULATED_COUNTED_MIXED(counted_double, -)
EMULATED_COUNTED_MIXED(counted_double, *)
EMULATED_COUNTED_MIXED(counted_double, /)
EMULATED_COUNTED_MIXED(bool, ==)
EMULATED_COUNTED_MIXED(bool, !=)
EMULATED_COUNTED_MIXED(bool, <)
EMULATED_COUNTED_MIXED(bool, <=)
EMULATED_COUNTED_MIXED(bool, >)
EMULATED_COUNTED_MIXED(bool, >=)

} // namespace emulated

#endif
