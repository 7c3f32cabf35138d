/* Code of the host that uses device memory is told, with pointer, allocation and line, and everything goes on. */
#include "tests/strict/strict.cuh"

static __global__ void twice(float *x)
{
    x[threadIdx.x] *= 2.0F;
}

static int line;

/* What beginners do: a pointer is a pointer. */
static float look_at(const volatile float *x, int index)
{
    line = __LINE__ + 1;
    return x[index];
}

static void store_at(volatile float *x, int index)
{
    x[index] = 5.0F;
}

static void plain(buffer<float> *data)
{
    inspect(DUEL_INSPECT_PLAIN);
    look_at(data->pointer, 3);
    fails("a read", "code of the host", "byte 12 of A, 256 bytes of device memory");
    store_at(data->pointer, 63);
    fails("a write", "code of the host", "byte 252 of A");
    look_at(data->pointer, 3);
    DUEL_LAUNCH(twice, 1, 64, 0, nullptr, data->pointer);
    look_at(data->pointer, 3);
    fails("once before a kernel and once after it", "code of the host", "byte 12 of A");
    works("the copies and kernels of the device are no such use");
    data->down();
    check(data->host[3] == 6.0F, "and the kernel did its work");
}

static void strict(buffer<float> *data)
{
    struct duel_finding finding = {};
    char here[64];
    inspect(DUEL_INSPECT_STRICT);
    look_at(data->pointer, 7);
    backend->sync(device, nullptr);
    snprintf(here, sizeof here, "strict_host.cu:%d", line);
    check(inspector->findings() == 1 && inspector->finding(0, &finding), "strict mode has a finding");
    check(strcmp(finding.kind, "device memory on the host") == 0 && strcmp(finding.here, here) == 0 &&
              strcmp(finding.array, "A") == 0 && finding.index == 7,
          "with line, array and index: %s", finding.seen);
}

static void tests()
{
    buffer<float> data(64);
    for (size_t i = 0; i < data.host.size(); i++)
        data.host[i] = static_cast<float>(i);
    data.up();
    inspector->name(data.pointer, "A", sizeof(float));
    plain(&data);
    strict(&data);
}
