# Collects byte arrays without end and ignores the interpreter's refusals.
blocks = []
while True:
    try:
        blocks.append(bytearray(b"x") * (1 << 20))
    except MemoryError:
        pass
