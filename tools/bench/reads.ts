import type { NamedValues } from '../../src/db/statement.ts'
import { userId } from './ids.ts'
import type { Exchange } from './route.ts'
import type { Contest } from './sizes.ts'
import type { World } from './world.ts'

/** Reads by each person of a contest; `read` returns the path and the values of the n-th user. */
export function readsOf(
  read: (user: number, world: World) => { path: string; values: NamedValues },
  contestOf: (world: World) => Contest = (world) => world.size.contests[0],
) {
  return async (world: World): Promise<Exchange[]> => {
    const { people, firstUser } = contestOf(world)
    const users = Array.from({ length: people }, (_, n) => firstUser + n)
    return Promise.all(
      users.map(async (user) => {
        const { path, values } = read(user, world)
        const actor = { actor: userId(user), actor_role: 0, actor_session: 1 }
        return {
          method: 'GET' as const,
          path,
          token: await world.tokenOf(user),
          values: { ...actor, ...values },
        }
      }),
    )
  }
}
