import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { JUDGE_PASSWORD } from '../../../../test/support/app.ts'
import { openListeningApp } from '../support/listening-app.ts'

const cwd = fileURLToPath(new URL('../..', import.meta.url))
const file = `${cwd}test/readme.ts`
const tsconfig = fileURLToPath(new URL('../../../../test/tsconfig.json', import.meta.url))
const service = await openListeningApp()

describe('the program of the README', () => {
  let program: string
  beforeAll(async () => {
    const blocks = (await readFile(`${cwd}README.md`, 'utf8')).matchAll(/```ts\n(.*?)```/gs)
    program = [...blocks].map(([, code]) => code).join('\n')
  })

  it('has the right types', () => {
    const { config } = ts.readConfigFile(tsconfig, ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(
      { ...config, include: [] },
      ts.sys,
      dirname(file),
      {},
      tsconfig,
    )
    const host = ts.createCompilerHost(options)
    const readSource = host.getSourceFile
    host.getSourceFile = (name, target, ...more) =>
      name === file ? ts.createSourceFile(name, program, target) : readSource(name, target, ...more)
    const checked = ts.createProgram([file], options, host)
    const source = checked.getSourceFile(file)
    expect(source).toBeDefined()
    const faults = [...checked.getOptionsDiagnostics(), ...ts.getPreEmitDiagnostics(checked, source)]
    expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  })

  it('prints the expected lines', async () => {
    await service.createSubmitter()
    const { outputText: script } = ts.transpileModule(program, {
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    })
    const parameters = ['--import', 'tsx', '--conditions=source', '--input-type=module', '-e', script]
    const { stdout } = await promisify(execFile)(process.execPath, parameters, {
      ...{ cwd, env: { PATH: process.env.PATH, JUDGE_API_URL: service.url, JUDGE_PASSWORD } },
    })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.shift()).toBe('Wrong e-mail or password')
    expect(lines.shift()).toMatch(/^404 NOT_FOUND [0-9a-f-]{36} undefined$/)
    expect(lines.shift()).toBe('Echo')
    expect(lines.splice(-3)).toEqual(['ACCEPTED', 'watched: WRONG_ANSWER', 'left while it was PENDING'])
    // On a busy machine the verdict may come before the first poll.
    const statuses = lines.map((_, index) => (index === lines.length - 1 ? 'ACCEPTED' : 'PENDING'))
    expect(lines).toEqual(statuses.map((status, index) => `poll ${index + 1}: ${status}`))
    expect(lines).not.toEqual([])
  })
})
