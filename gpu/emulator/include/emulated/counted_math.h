/* counted_math.h: CUDA's functions of the numbers that count (counted.h). */
#ifndef EMULATED_COUNTED_MATH_H
#define EMULATED_COUNTED_MATH_H

#define EMULATED_COUNTED_FUNCTION(name, operations, call)                                     \
    template <typename F> EMULATED_COUNTING emulated::counted<F> name(emulated::counted<F> a) \
    {                                                                                         \
        emulated::count_flops(a.kind, operations);                                            \
        return emulated::counted<F>(call(a.value));                                           \
    }
EMULATED_COUNTED_FUNCTION(sqrtf, 1, std::sqrt)
EMULATED_COUNTED_FUNCTION(sqrt, 1, std::sqrt)
EMULATED_COUNTED_FUNCTION(expf, 1, std::exp)
EMULATED_COUNTED_FUNCTION(exp, 1, std::exp)
EMULATED_COUNTED_FUNCTION(logf, 1, std::log)
EMULATED_COUNTED_FUNCTION(log, 1, std::log)

/* No arithmetic. `identity` keeps the second argument out of the deduction, so that it may be a plain number. */
namespace emulated
{
template <typename T> struct identity {
    typedef T type;
};
template <typename F> using same_counted = typename identity<counted<F>>::type;
} // namespace emulated
#define EMULATED_COUNTED_SIGN(name)                                                           \
    template <typename F> EMULATED_COUNTING emulated::counted<F> name(emulated::counted<F> a) \
    {                                                                                         \
        return emulated::counted<F>(std::fabs(a.value));                                      \
    }
EMULATED_COUNTED_SIGN(fabsf)
EMULATED_COUNTED_SIGN(fabs)
#define EMULATED_COUNTED_CHOICE(name, call)                                                          \
    template <typename F>                                                                            \
    EMULATED_COUNTING emulated::counted<F> name(emulated::counted<F> a, emulated::same_counted<F> b) \
    {                                                                                                \
        return emulated::counted<F>(call(a.value, b.value));                                         \
    }
EMULATED_COUNTED_CHOICE(min, std::fmin)
EMULATED_COUNTED_CHOICE(max, std::fmax)
EMULATED_COUNTED_CHOICE(fminf, std::fmin)
EMULATED_COUNTED_CHOICE(fmaxf, std::fmax)

#define EMULATED_COUNTED_FUSED(name)                                                                 \
    template <typename F>                                                                            \
    EMULATED_COUNTING emulated::counted<F> name(emulated::counted<F> a, emulated::same_counted<F> b, \
                                                emulated::same_counted<F> c)                         \
    {                                                                                                \
        emulated::count_flops(a.kind, 2);                                                            \
        return emulated::counted<F>(std::fma(a.value, b.value, c.value));                            \
    }
EMULATED_COUNTED_FUSED(fma)
EMULATED_COUNTED_FUSED(fmaf)

template <typename F>
EMULATED_COUNTING emulated::counted<F> atomicAdd(emulated::counted<F> *address, emulated::same_counted<F> operand)
{
    emulated::count_flops(operand.kind, 1);
    return emulated::counted<F>(atomicAdd(&address->value, operand.value));
}

template <typename F> EMULATED_COUNTING __half __float2half(emulated::counted<F> a)
{
    return __half(a.value);
}
template <typename F> EMULATED_COUNTING __half __float2half_rn(emulated::counted<F> a)
{
    return __half(a.value);
}

#endif
