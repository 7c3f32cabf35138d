"""npy_numpy.py TOOL DIR copy TYPE VERSION ORDER | halves TYPE | refuse KIND: one comparison with NumPy, for npy_numpy.sh.

An AssertionError is a failed test; its text says what differed.
"""

import os
import subprocess
import sys

import numpy

SHAPES = [(1, 1), (1, 7), (7, 1), (3, 5), (17, 33), (64, 64), (257, 129), (1, 20000), (20000, 1), (17000, 70)]


def run(tool, *arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)


def any_bits(shape, kind, generator):
    """Every kind of number there is: normal, subnormal, zeros of both signs, infinities, NaN."""
    size = numpy.dtype(kind).itemsize
    data = generator.integers(0, 256, shape[0] * shape[1] * size, dtype=numpy.uint8)
    return data.view("<" + kind).reshape(shape)


def copy(tool, before, after, kind, version, order):
    generator = numpy.random.default_rng(int(version))
    for shape in SHAPES:
        array = numpy.array(any_bits(shape, kind, generator), order=order)
        with open(before, "wb") as file:
            numpy.lib.format.write_array(file, array, version=(int(version), 0))
        result = run(tool, "copy", before, after)
        assert result.returncode == 0, f"{shape}: {result.stderr}"
        copied = numpy.load(after)
        assert copied.dtype == array.dtype and copied.shape == array.shape, f"{shape}: {copied.dtype} {copied.shape}"
        assert copied.flags.c_contiguous, f"{shape}: not in C order"
        assert copied.tobytes() == array.tobytes(), f"{shape}: elements differ"


def halves(tool, before, after, kind):
    generator = numpy.random.default_rng(1)
    every = numpy.arange(0x7C00, dtype=numpy.uint16).view(numpy.float16).astype(numpy.float64)
    middle = (every[:-1] + every[1:]) / 2
    table = [every, middle, [65519.99, 65520.0, 65520.01, 1e300, numpy.inf, numpy.nan]]
    for edge in every, middle:
        narrow = edge.astype(kind)
        table += [numpy.nextafter(narrow, narrow.dtype.type(way)) for way in (-numpy.inf, numpy.inf)]
    table.append(generator.standard_normal(50000) * numpy.exp2(generator.uniform(-30, 18, 50000)))
    with numpy.errstate(over="ignore"):
        array = numpy.concatenate(table).astype(kind)
        array = numpy.stack([array, -array, any_bits((1, array.size), kind, generator)[0]])
        wanted = array.astype(numpy.float16)
    numpy.save(before, array)
    result = run(tool, "halves", before, after)
    assert result.returncode == 0, result.stderr
    got = numpy.load(after)
    assert got.dtype == numpy.float16 and got.shape == wanted.shape, f"{got.dtype} {got.shape}"
    same = (got.view(numpy.uint16) == wanted.view(numpy.uint16)) | (numpy.isnan(got) & numpy.isnan(wanted))
    assert same.all(), f"{(~same).sum()} of {same.size} differ; first: {array[~same][0]!r} became {got[~same][0]!r}"


def refuse(tool, before, after, kind):
    shapes = {"0-d": (), "1-d": (6,), "3-d": (1, 2, 3), "empty": (0, 3)}
    array = numpy.zeros(shapes.get(kind, (2, 3)), dtype=numpy.float32 if kind in shapes or kind == "npz" else kind)
    with open(before, "wb") as file:
        if kind == "npz":
            numpy.savez(file, array)
        else:
            numpy.save(file, array)
    if os.path.exists(after):
        os.remove(after)
    result = run(tool, "copy", before, after)
    assert result.returncode == 1, f"exit status {result.returncode}"
    assert before in result.stderr, f"no reason was given: {result.stderr!r}"
    assert not os.path.exists(after), "a file was written"


if __name__ == "__main__":
    program, folder, task = sys.argv[1:4]
    {"copy": copy, "halves": halves, "refuse": refuse}[task](
        program, os.path.join(folder, "before.npy"), os.path.join(folder, "after.npy"), *sys.argv[4:]
    )
