import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeSubmission } from '../../src/judge.ts'
import type { ProgramValidation } from '../../src/judging-options.ts'
import { silentLogger } from '../../src/logger.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { findDefaultLanguage } from '../support/default-languages.ts'
import { missingSandbox } from '../support/sandboxes.ts'
import { makeJudgeTools, makeTestCase, makeTestSet } from '../support/test-cases.ts'

const noBubblewrap = await missingSandbox('bubblewrap')
const ACCEPT = '#!/bin/sh\nexit 42\n'

describe.each([
  ['unsandboxed', undefined],
  ['bubblewrap', noBubblewrap],
] as const)('compiled validators, %s', (mode, obstacle) => {
  let sandbox: Sandbox
  beforeAll(async () => {
    if (obstacle === undefined) sandbox = await openSandbox({ mode, logger: silentLogger })
  })
  afterAll(() => sandbox?.close())
  const it_ = obstacle === undefined ? it : it.skip
  const makeJudge = (now?: () => number) => {
    const tools = makeJudgeTools(sandbox, now)
    return (changes: Partial<ProgramValidation>) => {
      const files = [{ name: 'check', content: ACCEPT }]
      const common = { type: 'custom', protocol: 'format', files } as const
      const validation = { ...common, ...(changes.language ? {} : { run: ['{dir}/check'] }), ...changes }
      const limits = { wallSeconds: 20, cpuSeconds: 5, memoryMib: 256 }
      const language = findDefaultLanguage('js')
      const task = { sandbox, language, sourceCode: 'console.log(1)', limits }
      return judgeSubmission(task, makeTestSet([makeTestCase('-', '-')], { validation }), tools)
    }
  }

  it_('are compiled once for submissions at the same time and later', async () => {
    const judge = makeJudge()
    const build = ['sh', '-c', 'date +%s%N > {dir}/stamp']
    const files = [{ name: 'check', content: '#!/bin/sh\ncat $(dirname $0)/stamp >&2\nexit 42\n' }]
    const verdicts = await Promise.all([judge({ files, build }), judge({ files, build })])
    verdicts.push(await judge({ files, build }))
    const stamps = verdicts.map(({ test_case_results }) => test_case_results[0]?.judge_message)
    expect(new Set(stamps)).toEqual(new Set([expect.stringMatching(/^\d+\n?$/)]))
  })

  it_('are compiled again a minute after a failure', async () => {
    let nowMs = 0
    const judge = makeJudge(() => nowMs)
    const readMessage = async () => {
      const build = ['sh', '-c', 'date +%s%N >&2; exit 1']
      const { status, judge_message } = await judge({ build })
      expect(status).toBe('INTERNAL_ERROR')
      return judge_message
    }
    const first = await readMessage()
    nowMs = 59_999
    expect(await readMessage()).toBe(first)
    nowMs = 60_000
    expect(await readMessage()).not.toBe(first)
  })

  it_.each([
    [
      'has its program in a folder',
      { files: [{ name: 'src/check', content: ACCEPT }], run: ['{dir}/src/check'] },
    ],
    [
      'is readable only for its user',
      { build: ['sh', '-c', 'cd {dir}; cp check mine; chmod 700 mine'], run: ['{dir}/mine'] },
    ],
    [
      'made links and a file with a name of ours',
      {
        build: [
          'sh',
          '-c',
          'cd {dir}; ln -s / all; ln -s check .judging-answer; echo > .judging-input; mkfifo .judging-feedback',
        ],
      },
    ],
  ])('work if the validator %s', async (_, changes) => {
    expect(await makeJudge()(changes)).toMatchObject({ status: 'ACCEPTED' })
  })

  it_.each([
    [
      'leaves more than its folder may have',
      { build: ['sh', '-c', 'truncate -s 200M {dir}/a; cp --sparse=always {dir}/a {dir}/b'] },
      'too large',
    ],
    [
      'leaves paths that are too long',
      {
        build: [
          'sh',
          '-c',
          'n=$(printf %0250d 0); cd {dir}; for i in 1 2 3 4 5 6 7 8 9; do mkdir $n; cd $n; done',
        ],
      },
      'too long',
    ],
    [
      'has a file and a folder with one name',
      {
        files: [
          { name: 'check', content: ACCEPT },
          { name: 'check/a', content: '' },
        ],
      },
      'exclude each other',
    ],
    [
      'has a second file in place of the program',
      {
        language: 'C++',
        files: [
          { name: 'check.cpp', content: '' },
          { name: 'main.cpp', content: '' },
        ],
      },
      'gets the name "main.cpp"',
    ],
    [
      'has a file with a name of ours',
      {
        files: [
          { name: 'check', content: ACCEPT },
          { name: '.judging-input', content: '' },
        ],
      },
      'must not have names',
    ],
  ])('are at fault if the validator %s', async (_, changes, message) => {
    const verdict = await makeJudge()(changes)
    expect(verdict).toMatchObject({
      status: 'INTERNAL_ERROR',
      judge_message: expect.stringContaining(message),
    })
  })
})
