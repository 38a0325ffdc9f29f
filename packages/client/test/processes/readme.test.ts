import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { JUDGE_PASSWORD } from '../../../../test/support/app.ts'
import { openListeningApp } from '../support/listening-app.ts'

const example = new URL('readme-example.ts', import.meta.url)
const readme = new URL('../../README.md', import.meta.url)

const service = await openListeningApp()

describe('the program of the README', () => {
  it('is the type-checked example', async () => {
    const blocks = [...(await readFile(readme, 'utf8')).matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code)
    expect(blocks.join('\n')).toBe(await readFile(example, 'utf8'))
  })

  it('prints the expected lines', async () => {
    await service.createSubmitter()
    const parameters = ['--import', 'tsx', '--conditions=source', fileURLToPath(example)]
    const { stdout } = await promisify(execFile)(process.execPath, parameters, {
      env: { PATH: process.env.PATH, JUDGE_API_URL: service.url, JUDGE_PASSWORD },
    })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.shift()).toBe('Wrong e-mail or password')
    expect(lines.shift()).toMatch(/^404 NOT_FOUND [0-9a-f-]{36} undefined$/)
    expect(lines.shift()).toBe('Echo')
    expect(lines.splice(-3)).toEqual(['ACCEPTED', 'watched: WRONG_ANSWER', 'left while it was PENDING'])
    expect(lines[0]).toBe('poll 1: PENDING')
    expect(lines.at(-1)).toMatch(/^poll \d+: ACCEPTED$/)
  })
})
