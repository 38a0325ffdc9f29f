import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../setup/places.ts'

it('each test file belongs to one project of Vitest', () => {
  const list = execFileSync('npx', ['vitest', 'list', '--filesOnly', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const listed: { file: string }[] = JSON.parse(list.slice(list.indexOf('[')))
  const files = ['deploy', 'packages', 'test', 'tools'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
      .map((name) => join(ROOT, folder, name)),
  )
  expect(listed.map(({ file }) => file).sort()).toEqual(files.sort())
})
