"""Makes PNG files of every kind, whole and broken, and says what a PNG file holds. Python alone, no libpng: a fault of
the library or of its use must not hide behind itself.

    picture.py make FOLDER          writes the files that picture.sh names
    picture.py show FILE            prints width, height, bits and colour type, then a line of samples for each row
"""
import struct
import sys
import zlib

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed(samples, bits):
    """A row of samples as bytes, the first sample in the highest bits."""
    number = 0
    for sample in samples:
        number = number << bits | sample
    pad = -len(samples) * bits % 8
    return (number << pad).to_bytes((len(samples) * bits + pad) // 8, "big")


def png(pixels, bits, colour, interlaced=False, extra=b"", width=None, height=None):
    """pixels: rows of tuples of samples. Width and height may lie."""
    raw = b""
    passes = PASSES if interlaced else [(0, 0, 1, 1)]
    for x, y, dx, dy in passes:
        for row in pixels[y::dy]:
            part = row[x::dx]
            if part:
                raw += b"\0" + packed([s for pixel in part for s in pixel], bits)
    header = struct.pack(">IIBBBBB", width or len(pixels[0]), height or len(pixels), bits, colour, 0, 0, interlaced)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(raw)) +
            chunk(b"IEND", b""))


def steps(width, height, most, channels, dark=0):
    """Black on the left, white on the right; alpha rises from row to row."""
    rows = []
    for i in range(height):
        colour = [[most if j >= width // 2 else dark] * (channels - (channels % 2 == 0)) for j in range(width)]
        rows.append([tuple(c + ([(i * most) // max(height - 1, 1)] if channels % 2 == 0 else [])) for c in colour])
    return rows


def make(folder):
    def write(name, data):
        with open(f"{folder}/{name}.png", "wb") as file:
            file.write(data)

    for bits in (1, 2, 4, 8, 16):
        write(f"grey{bits}", png(steps(10, 6, 2**bits - 1, 1), bits, GREY))
    for name, colour in (("rgb", RGB), ("greyalpha", GREY_ALPHA), ("rgba", RGBA)):
        for bits in (8, 16):
            write(f"{name}{bits}", png(steps(10, 6, 2**bits - 1, CHANNELS[colour]), bits, colour))
    for bits in (1, 2, 4, 8):
        table = chunk(b"PLTE", bytes([0, 0, 0, 255, 255, 255]))
        write(f"palette{bits}", png(steps(10, 6, 1, 1), bits, PALETTE, extra=table))
    clear = chunk(b"PLTE", bytes([0, 0, 0, 255, 255, 255])) + chunk(b"tRNS", bytes([255, 128]))
    write("palettealpha", png(steps(10, 6, 1, 1), 8, PALETTE, extra=clear))
    write("interlaced8", png(steps(10, 6, 255, 3), 8, RGB, interlaced=True))
    write("interlaced16", png(steps(11, 7, 65535, 4), 16, RGBA, interlaced=True))
    write("one", png([[(77, 130, 200)]], 8, RGB))
    write("oneinterlaced", png([[(77,)]], 8, GREY, interlaced=True))
    write("flat", png([[(40, 80, 120, 200)] * 9] * 8, 8, RGBA))
    write("wide", png([[(100,)] * 300], 8, GREY))
    point = [[(0,)] * 7 for _ in range(7)]
    point[3][3] = (255,)
    write("point", png(point, 8, GREY))

    whole = png([[(i * j % 256, (i + j) % 256, i % 256) for j in range(64)] for i in range(64)], 8, RGB)
    write("whole", whole)
    write("truncated", whole[: len(whole) // 2])
    write("headonly", whole[:33])
    write("noend", whole[:-12])
    middle = len(whole) // 2
    write("corrupt", whole[:middle] + bytes([whole[middle] ^ 0xFF]) + whole[middle + 1 :])
    write("badheader", whole[:20] + bytes([whole[20] ^ 0x01]) + whole[21:])
    write("huge", png([[(0,)]], 8, GREY, width=60000, height=60000))
    write("hugest", png([[(0,)]], 8, GREY, width=2**31 - 1, height=2**31 - 1))
    write("liar", png([[(0,) * 4]], 16, RGBA, width=8000, height=8000))
    write("nowidth", png([[(0,)]], 8, GREY)[:16] + b"\0\0\0\0" + png([[(0,)]], 8, GREY)[20:])
    write("empty", b"")
    write("text", b"no picture at all\n")
    bomb = chunk(b"zTXt", b"a\0\0" + zlib.compress(b"\0" * 300_000_000, 9))
    write("bomb", png(steps(10, 6, 255, 1), 8, GREY, extra=bomb))


def show(name):
    with open(name, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, image = 8, b""
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height, bits, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
        image += body if kind == b"IDAT" else b""
        at += 12 + length
    assert not interlaced and bits in (8, 16)
    raw, size, line = zlib.decompress(image), bits // 8, width * CHANNELS[colour] * bits // 8
    step, above = CHANNELS[colour] * size, bytearray(line)
    lines = [f"{width} {height} {bits} {colour}"]
    for i in range(height):
        kind, row = raw[i * (line + 1)], bytearray(raw[i * (line + 1) + 1 : (i + 1) * (line + 1)])
        for j in range(line):
            a, b = row[j - step] if j >= step else 0, above[j]
            c = above[j - step] if j >= step else 0
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[j] = (row[j] + [0, a, b, (a + b) // 2, paeth][kind]) % 256
        above = row
        lines.append(" ".join(str(int.from_bytes(row[j : j + size], "big")) for j in range(0, line, size)))
    print("\n".join(lines))


if __name__ == "__main__":
    {"make": make, "show": show}[sys.argv[1]](sys.argv[2])
