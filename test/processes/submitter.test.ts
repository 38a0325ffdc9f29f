import { expect, it } from 'vitest'
import { ROOT, register } from '../../tools/local-servers/submitter.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { startProductionService } from '../support/production-service.ts'

it('signs in if the service stored the account of a request that got 503', async () => {
  const variables = { BASIC_REGISTRATION_ENABLED: 'true', ...(await freshDatabaseVariables()) }
  const { url } = await startProductionService(variables)
  const statuses: number[] = []
  const loseFirst = async (request: Request) => {
    const response = await fetch(request)
    statuses.push(response.status)
    return statuses.length === 1 ? new Response(null, { status: 503 }) : response
  }
  const { id } = await register(url, ROOT, loseFirst)
  expect({ statuses, id }).toEqual({ statuses: [201, 409, 200], id: expect.any(String) })
  await expect(register(url, ROOT)).rejects.toThrow('Another account has this name or e-mail')
})
