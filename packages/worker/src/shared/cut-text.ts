/** The first `limitBytes` of an output as text, without half a character at the end. */
export function readText(output: Buffer, limitBytes: number): string {
  if (output.length <= limitBytes) return output.toString('utf8')
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return `${decoder.decode(output.subarray(0, limitBytes), { stream: true })}\n[cut]`
}

/** Like `readText`, but returns empty texts after `totalBytes` in total. */
export function createTextBudget(totalBytes: number): (output: Buffer, limitBytes: number) => string {
  let left = totalBytes
  return (output, limitBytes) => {
    const size = Math.min(output.length, limitBytes)
    if (size > left) return ''
    left -= size
    return readText(output, limitBytes)
  }
}
