import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createResetDelivery } from '../../src/features/people/accounts/reset-delivery.ts'
import { listTree } from '../../tools/local-servers/process-tree.ts'
import { logInMemory } from '../support/app.ts'
import { load } from '../support/configuration.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { startProductionService } from '../support/production-service.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** Writes its standard input, its environment and its process ids to a new file in the folder. */
const PROGRAM = `
  import { spawn } from 'node:child_process'
  import { renameSync, writeFileSync } from 'node:fs'
  import { text } from 'node:stream/consumers'
  const [folder, mode] = process.argv.slice(2)
  const input = await text(process.stdin)
  const child = mode === 'hangs' ? spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']) : undefined
  const seen = { input, env: process.env, pids: [process.pid, child?.pid] }
  writeFileSync(folder + '/' + process.pid, JSON.stringify(seen))
  renameSync(folder + '/' + process.pid, folder + '/' + process.pid + '.json')
  console.log(input)
  console.error(input)
  if (mode === 'fails') process.exit(7)
  if (mode === 'hangs') setInterval(() => {}, 1000)`

/** Writes the program to a folder, and reads what its processes saw. */
async function makeProgram(mode = '') {
  const folder = await makeTemporaryFolder()
  const script = join(folder, 'deliver.mjs')
  await writeFile(script, PROGRAM)
  const readSeen = async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    return texts.map((text): { input: string; env: object; pids: number[] } => JSON.parse(text))
  }
  const command = [process.execPath, script, folder, mode]
  return {
    command,
    program: { path: process.execPath, args: command.slice(1) },
    readSeen,
    /** Waits until this many processes have read their input. */
    untilSeen: async (count: number) => {
      await expect.poll(async () => (await readSeen()).length).toBe(count)
      return readSeen()
    },
  }
}

const areAlive = (pids: readonly number[] = []) => pids.map((pid) => listTree(pid).length > 0)

const reset = (number: number) => ({ email: `reset-${number}@example.org`, token: `secret-token-${number}` })

/** Starts a service that delivers tokens with this command. */
async function startWith(command: readonly string[]) {
  const service = await startProductionService({
    ...(await freshDatabaseVariables()),
    ...{ PASSWORD_RESET_COMMAND: JSON.stringify(command), BASIC_REGISTRATION_ENABLED: 'true' },
    RATE_LIMIT_ACCOUNTS: '1000/1000',
  })
  const post = async (path: string, body: object) => {
    const { status, body: received } = await service.request('POST', `/v1/${path}`, { body })
    expect(status, path).toBe(200)
    return received
  }
  const email = 'Ada@example.org'
  const body = { name: 'Ada', email, password: 'the first password' }
  await service.request('POST', '/v1/basic_register', { body })
  return { service, post, email }
}

describe('the program of PASSWORD_RESET_COMMAND', () => {
  it('gets the token and the stored e-mail, and none of the variables; unknown e-mails start none', async () => {
    const { command, untilSeen, readSeen } = await makeProgram()
    const { service, post, email } = await startWith(command)
    for (const sent of ['nobody@example.org', '\uFF41da@EXAMPLE.org'])
      expect(await post('basic_request_password_reset', { email: sent })).toEqual({ status: 'ok' })
    const [seen] = await untilSeen(1)
    expect(seen?.input).toMatch(/^\{.*\}\n$/)
    const { token, ...rest } = JSON.parse(seen?.input ?? '')
    expect(rest).toEqual({ email })
    expect(Object.keys(seen?.env ?? {})).toEqual(['PATH'])
    await post('basic_reset_password', { email, token, new_password: 'the second password' })
    await post('basic_login', { email, password: 'the second password' })
    await service.stop()
    expect(await readSeen()).toHaveLength(1)
    for (const text of [token, 'example.org']) expect(service.log.join('\n')).not.toContain(text)
  })

  it('does not delay responses, and is stopped with the service', async () => {
    const { command, untilSeen } = await makeProgram('hangs')
    const { service, post, email } = await startWith(command)
    await post('basic_request_password_reset', { email })
    const [seen] = await untilSeen(1)
    expect(areAlive(seen?.pids)).toEqual([true, true])
    await service.stop()
    await expect.poll(() => areAlive(seen?.pids)).toEqual([false, false])
    expect(service.log.join('\n')).toContain('the service stopped before reset tokens were delivered')
  })

  it('is killed with its children after the time limit; failures are logged without the token', async () => {
    const [hanging, failing] = [await makeProgram('hangs'), await makeProgram('fails')]
    const { lines, logger } = logInMemory()
    const bounds = { timeoutMs: 3000, delayMs: 0 }
    const late = createResetDelivery({ program: hanging.program, logger, bounds })
    const failed = createResetDelivery({ program: failing.program, logger, bounds })
    const gone = createResetDelivery({ program: { path: '/nowhere/program', args: [] }, logger, bounds })
    const deliveries = [late, failed, gone]
    for (const [i, delivery] of deliveries.entries()) delivery.deliver(reset(i))
    await expect.poll(() => lines.length).toBe(3)
    const reasons = lines.map((line) => JSON.parse(line)).map(({ reason, exitCode }) => [reason, exitCode])
    expect(reasons.toSorted()).toEqual([
      ['it could not be started (ENOENT)', undefined],
      ['it did not exit with 0', 7],
      ['it was killed after 3000 ms', undefined],
    ])
    for (const { pids } of await hanging.readSeen())
      await expect.poll(() => areAlive(pids)).toEqual([false, false])
    await Promise.all(deliveries.map((delivery) => delivery.stop()))
    expect(lines.join('\n')).not.toMatch(/secret-token|example\.org/)
  })

  it('runs a few times at once, then from a bounded queue; a stop delivers what waits', async () => {
    const { program, untilSeen, readSeen } = await makeProgram()
    const { lines, logger } = logInMemory()
    const bounds = { running: 2, waiting: 3, delayMs: 60_000, stopMs: 20_000 }
    const delivery = createResetDelivery({ program, logger, bounds })
    // All wait for their random time: two run, three wait, two are dropped.
    for (let i = 0; i < 7; i += 1) delivery.deliver(reset(i))
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).toContain('a reset token was not delivered')
    await delivery.stop()
    const seen = await untilSeen(5)
    const inputs = seen.map(({ input }) => JSON.parse(input).token).toSorted()
    expect(inputs).toEqual([0, 1, 2, 3, 4].map((i) => reset(i).token))
    delivery.deliver(reset(8))
    expect(lines).toHaveLength(3)
    expect(await readSeen()).toHaveLength(5)
    expect(lines.join('\n')).not.toMatch(/secret-token|example\.org/)
  })
})

describe('PASSWORD_RESET_COMMAND', () => {
  const read = (PASSWORD_RESET_COMMAND: string) =>
    load({ PASSWORD_RESET_COMMAND }).accounts.passwordResetProgram

  it('is a path, also with spaces, or a JSON array; no shell splits it', async () => {
    const folder = await makeTemporaryFolder()
    const path = join(folder, 'with a space')
    await writeFile(path, '#!/bin/sh\n', { mode: 0o700 })
    expect(read(path)).toEqual({ path, args: [] })
    const args = ['--to', '$HOME; x', '']
    expect(read(JSON.stringify([path, ...args]))).toEqual({ path, args })
    expect(read('')).toBeUndefined()
    const plain = join(folder, 'plain')
    await rename(path, plain)
    const wrong = [path, folder, 'true', '["true"]', `${plain} --to`, '[]', '["', '[1]', `["${plain}", 1]`]
    for (const command of wrong)
      expect(() => read(command), command).toThrow('PASSWORD_RESET_COMMAND must be the path of an executable')
  })
})
