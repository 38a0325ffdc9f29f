import type { NamedValues, Statement } from '../../src/db/statement.ts'
import { userId } from './ids.ts'
import type { HotRoute } from './route.ts'
import type { Contest } from './sizes.ts'
import type { World } from './world.ts'

type Read = (user: number, world: World) => { path: string; values: NamedValues }

/** A route that reads, requested by each person of a contest. */
export function readRoute(
  name: string,
  statement: Statement,
  read: Read,
  options: Partial<HotRoute> = {},
  contestOf: (world: World) => Contest = (world) => world.size.contests[0],
): HotRoute {
  const exchanges = async (world: World) => {
    const { people, firstUser } = contestOf(world)
    return Promise.all(
      Array.from({ length: people }, async (_, n) => {
        const user = firstUser + n
        const { path, values } = read(user, world)
        const token = await world.tokenOf(user)
        const actor = { actor: userId(user), actor_role: 0, actor_session: 1 }
        return { method: 'GET', path, token, values: { ...actor, ...values } } as const
      }),
    )
  }
  return { name, statuses: [200], statement, exchanges, ...options }
}
