/* counted_math.h: CUDA's functions of the numbers that count (counted.h). */
#ifndef EMULATED_COUNTED_MATH_H
#define EMULATED_COUNTED_MATH_H

#define EMULATED_COUNTED_FUNCTION(name, operations, call)                                     \
    template <typename F> EMULATED_COUNTING emulated::counted<F> name(emulated::counted<F> a) \
    {                                                                                         \
        if (operations > 0)                                                                   \
            emulated::count_flops(a.kind, operations);                                        \
        return emulated::counted<F>(call(a.value));                                           \
    }
#define EMULATED_COUNTED_FUNCTIONS(name)             \
    EMULATED_COUNTED_FUNCTION(name##f, 1, std::name) \
    EMULATED_COUNTED_FUNCTION(name, 1, std::name)
EMULATED_COUNTED_FUNCTIONS(sqrt)
EMULATED_COUNTED_FUNCTIONS(exp)
EMULATED_COUNTED_FUNCTIONS(exp2)
EMULATED_COUNTED_FUNCTIONS(log)
EMULATED_COUNTED_FUNCTIONS(log2)
EMULATED_COUNTED_FUNCTIONS(sin)
EMULATED_COUNTED_FUNCTIONS(cos)
EMULATED_COUNTED_FUNCTIONS(tanh)
EMULATED_COUNTED_FUNCTIONS(erf)

/* No arithmetic. `identity` keeps the second argument out of the deduction, so that it may be a plain number. */
namespace emulated
{
template <typename T> struct identity {
    typedef T type;
};
template <typename F> using same_counted = typename identity<counted<F>>::type;
} // namespace emulated
#define EMULATED_COUNTED_ROUNDINGS(name)             \
    EMULATED_COUNTED_FUNCTION(name##f, 0, std::name) \
    EMULATED_COUNTED_FUNCTION(name, 0, std::name)
EMULATED_COUNTED_ROUNDINGS(fabs)
EMULATED_COUNTED_ROUNDINGS(floor)
EMULATED_COUNTED_ROUNDINGS(ceil)
EMULATED_COUNTED_ROUNDINGS(rint)
#define EMULATED_COUNTED_QUESTION(name)                                       \
    template <typename F> EMULATED_COUNTING bool name(emulated::counted<F> a) \
    {                                                                         \
        return std::name(a.value);                                            \
    }
EMULATED_COUNTED_QUESTION(isnan)
EMULATED_COUNTED_QUESTION(isinf)
EMULATED_COUNTED_QUESTION(isfinite)
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
