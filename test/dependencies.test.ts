import { expect, it } from 'vitest'
import { ALLOWED_LICENCES, listDependencies } from '../scripts/generated/dependencies.ts'

it('every package that people install has an allowed licence', async () => {
  for (const [part, list] of Object.entries(await listDependencies())) {
    expect(list.length, part).toBeGreaterThan(0)
    expect(
      list.filter(({ licence }) => !ALLOWED_LICENCES.includes(licence)),
      part,
    ).toEqual([])
  }
})

it('the worker, the client and the command line bring no web framework, database or development tool', async () => {
  const { Service: service, ...others } = await listDependencies()
  const names = Object.values(others).flatMap((list) => list.map(({ name }) => name))
  expect(service?.map(({ name }) => name)).toContain('fastify')
  expect(names.filter((name) => /fastify|swagger|pglite|^pg$|^typescript$|vitest/.test(name))).toEqual([])
})
