// Fills the heap that the engine limits.
const all = []
for (;;) all.push({ text: String(all.length) })
