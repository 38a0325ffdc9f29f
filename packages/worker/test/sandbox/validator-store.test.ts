import { describe, expect, it } from 'vitest'
import { judgeSubmission } from '../../src/judge.ts'
import type { ProgramValidation } from '../../src/judging-options.ts'
import { findDefaultLanguage } from '../support/default-languages.ts'
import { makeJudgeTools, makeTestCase, makeTestSet } from '../support/test-cases.ts'
import { noBubblewrap, useSandbox } from '../support/use-sandbox.ts'

const ACCEPT = '#!/bin/sh\nexit 42\n'
const buildBy = (script: string) => ({ build: ['sh', '-c', script] as const })
const MINE = 'cd {dir}; cp check mine; chmod 700 mine'
const LARGE = 'truncate -s 200M {dir}/a; cp --sparse=always {dir}/a {dir}/b'
const LONG = 'n=$(printf %0250d 0); cd {dir}; for i in 1 2 3 4 5 6 7 8 9; do mkdir $n; cd $n; done'
/** A validator with these files, which are empty except for the script `check`. */
const withFiles = (...names: string[]) => {
  return { files: names.map((name) => ({ name, content: /\bcheck$/.test(name) ? ACCEPT : '' })) }
}
const TWO_SOURCES = { language: 'C++', ...withFiles('check.cpp', 'main.cpp') }

describe.each([
  ['unsandboxed', undefined],
  ['bubblewrap', noBubblewrap],
] as const)('compiled validators, %s', (mode, obstacle) => {
  const setup = useSandbox({ mode }, obstacle)
  const it_ = obstacle === undefined ? it : it.skip
  const makeJudge = (now?: () => number) => {
    const tools = makeJudgeTools(setup.sandbox, now)
    return (changes: Partial<ProgramValidation>) => {
      const files = [{ name: 'check', content: ACCEPT }]
      const common = { type: 'custom', protocol: 'format', files } as const
      const validation = { ...common, ...(changes.language ? {} : { run: ['{dir}/check'] }), ...changes }
      const limits = { wallSeconds: 20, cpuSeconds: 5, memoryMib: 256 }
      const language = findDefaultLanguage('js')
      const task = { sandbox: setup.sandbox, language, sourceCode: 'console.log(1)', limits }
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

  const links =
    'cd {dir}; ln -s / all; ln -s check .judging-answer; echo > .judging-input; mkfifo .judging-feedback'
  it_.each<[string, Partial<ProgramValidation>]>([
    ['has its program in a folder', { ...withFiles('src/check'), run: ['{dir}/src/check'] }],
    ['is readable only for its user', { ...buildBy(MINE), run: ['{dir}/mine'] }],
    ['made links and a file with a name of ours', buildBy(links)],
  ])('work if the validator %s', async (_, changes) => {
    expect(await makeJudge()(changes)).toMatchObject({ status: 'ACCEPTED' })
  })

  it_.each<[string, Partial<ProgramValidation>, string]>([
    ['leaves more than its folder may have', buildBy(LARGE), 'too large'],
    ['leaves paths that are too long', buildBy(LONG), 'too long'],
    ['has a file and a folder with one name', withFiles('check', 'check/a'), 'exclude each other'],
    ['has a second file in place of the program', TWO_SOURCES, 'gets the name "main.cpp"'],
    ['has a file with a name of ours', withFiles('check', '.judging-input'), 'must not have names'],
  ])('are at fault if the validator %s', async (_, changes, message) => {
    const judge_message = expect.stringContaining(message)
    expect(await makeJudge()(changes)).toMatchObject({ status: 'INTERNAL_ERROR', judge_message })
  })
})
