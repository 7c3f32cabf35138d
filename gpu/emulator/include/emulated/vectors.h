/* vectors.h: float4 and its family, dim3.
 *
 * A vector is copied whole, through a compiler's vector type: one access of 16 bytes stays one access, as on a GPU, and
 * a misaligned one faults, as on a GPU. `may_alias`, since kernels reach them by casting pointers to elements. */
#ifndef EMULATED_VECTORS_H
#define EMULATED_VECTORS_H

namespace emulated
{

/* What the compiler makes vectors of: T itself, unless T is a class that stands for it. */
template <typename T> struct plain {
    typedef T type;
};

template <typename T> struct alignas(2 * sizeof(T)) vector2 {
    typedef typename plain<T>::type whole __attribute__((vector_size(2 * sizeof(T)), may_alias));
    union {
        struct {
            T x, y;
        };
        whole all;
    };
    vector2() = default;
    vector2(T x_, T y_) : x(x_), y(y_)
    {
    }
    vector2(const vector2 &other) : all(other.all)
    {
    }
    vector2 &operator=(const vector2 &other)
    {
        all = other.all;
        return *this;
    }
};

template <typename T> struct alignas(4 * sizeof(T)) vector4 {
    typedef typename plain<T>::type whole __attribute__((vector_size(4 * sizeof(T)), may_alias));
    union {
        struct {
            T x, y, z, w;
        };
        whole all;
    };
    vector4() = default;
    vector4(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_)
    {
    }
    vector4(const vector4 &other) : all(other.all)
    {
    }
    vector4 &operator=(const vector4 &other)
    {
        all = other.all;
        return *this;
    }
};

} // namespace emulated

#define EMULATED_VECTOR2(name, type)               \
    typedef emulated::vector2<type> name;          \
    static inline name make_##name(type x, type y) \
    {                                              \
        return name(x, y);                         \
    }
#define EMULATED_VECTOR4(name, type)                               \
    typedef emulated::vector4<type> name;                          \
    static inline name make_##name(type x, type y, type z, type w) \
    {                                                              \
        return name(x, y, z, w);                                   \
    }
EMULATED_VECTOR2(int2, int)
EMULATED_VECTOR2(uint2, unsigned int)
EMULATED_VECTOR2(float2, float)
EMULATED_VECTOR2(double2, double)
EMULATED_VECTOR4(int4, int)
EMULATED_VECTOR4(uint4, unsigned int)
EMULATED_VECTOR4(float4, float)

struct uint3 {
    unsigned int x, y, z;
};

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
};

#endif
