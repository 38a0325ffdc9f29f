// Collects buffers beside the heap that the engine limits.
const all = []
for (;;) all.push(Buffer.alloc(1e6, 1))
