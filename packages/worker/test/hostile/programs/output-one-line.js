// Writes one line without end.
const { writeSync } = require('node:fs')

const text = 'x'.repeat(60_000)
for (;;) {
  try {
    writeSync(1, text)
  } catch {}
}
