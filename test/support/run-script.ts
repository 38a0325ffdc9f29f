import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Options {
  readonly args?: readonly string[]
  readonly input?: string
  readonly before?: string
}

/** Runs `dist/src/NAME.js` to its end, with these variables and no others. */
export function runScript(
  name: 'admin' | 'main' | 'migrate',
  variables: NodeJS.ProcessEnv,
  { args = [], input = '', before = '' }: Options = {},
): Promise<{ code: unknown; output: string; errors: string }> {
  const first = `data:text/javascript,${encodeURIComponent(before)}`
  const words = ['--import', first, `dist/src/${name}.js`, ...args]
  const env = { PATH: process.env.PATH, ...variables }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, words, { cwd: root, env }, (err, output, errors) =>
      resolve({ code: err === null ? 0 : err.code, output, errors }),
    )
    child.stdin?.on('error', () => {}).end(input)
  })
}
