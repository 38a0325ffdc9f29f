import { type StdioOptions, spawn } from 'node:child_process'

/** Starts an ES module as a process. */
export function startScript(script: string, stdio?: StdioOptions) {
  const flags = ['--conditions=source', '--import', 'tsx', '--input-type=module', '-e', script]
  const child = spawn(process.execPath, flags, stdio ? { stdio } : {})
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  return {
    child,
    get output() {
      return output
    },
  }
}
