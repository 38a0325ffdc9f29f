import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../http/routing/address.ts'
import { AppError } from '../http/routing/errors.ts'

/** How many requests of one account may build lists at the same time, and how long others wait. */
export interface TurnLimits {
  readonly running: number
  /** More than these are refused at once. */
  readonly waiting: number
  readonly waitMs: number
}

export const TURN_LIMITS = { waiting: 20, waitMs: 5000 }

/** A request's turn to build a list. */
export interface Turn {
  build<T>(work: () => Promise<T>): Promise<T>
}

interface Account {
  running: number
  /** Starts the requests that wait, in their order. */
  readonly waiting: Set<() => void>
}

/** The requests of each account that build a list; idle accounts take no memory. */
export class AccountTurns {
  readonly #limits: TurnLimits
  readonly #accounts = new Map<string, Account>()

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** Accounts with requests in progress. */
  get size(): number {
    return this.#accounts.size
  }

  /**
   * Waits for the turn of the account, which ends after both the build and the response. Throws
   * UNAVAILABLE if it does not come in time.
   */
  async enter(account: string, response: ServerResponse): Promise<Turn> {
    if (response.destroyed) throw tooMany()
    const closed = new Promise<void>((resolve) => void response.once('close', resolve))
    await this.#enter(account, closed)
    let building: Promise<unknown> = Promise.resolve()
    void closed.then(() => Promise.allSettled([building])).then(() => this.#leave(account))
    return {
      build: (work) => {
        const built = work()
        building = built
        return built
      },
    }
  }

  async #enter(name: string, closed: Promise<void>): Promise<void> {
    const account = this.#accounts.get(name) ?? { running: 0, waiting: new Set() }
    this.#accounts.set(name, account)
    if (account.running < this.#limits.running) {
      account.running += 1
      return
    }
    if (account.waiting.size >= this.#limits.waiting) throw tooMany()
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        if (account.waiting.delete(start)) reject(tooMany())
      }
      const timer = setTimeout(giveUp, this.#limits.waitMs)
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      account.waiting.add(start)
      void closed.then(() => {
        clearTimeout(timer)
        giveUp()
      })
    })
  }

  /** Gives the turn to the request that waits longest. */
  #leave(name: string): void {
    const account = this.#accounts.get(name)
    if (account === undefined) return
    const [next] = account.waiting
    if (next !== undefined) {
      account.waiting.delete(next)
      next()
      return
    }
    account.running -= 1
    if (account.running === 0) this.#accounts.delete(name)
  }
}

const taken = new WeakMap<ServerResponse, Promise<Turn>>()

/**
 * The request's turn by its account, or without a token by its network: one, even if the request is
 * handled again (D10). Throws UNAVAILABLE.
 */
export function takeTurn(request: FastifyRequest): Promise<Turn> {
  const { response } = request
  const account = request.caller?.actor?.id ?? networkOf(request)
  const turn = taken.get(response) ?? request.server.lists.turns.enter(account, response)
  taken.set(response, turn)
  return turn
}

const tooMany = () =>
  new AppError('UNAVAILABLE', 'The account reads too many lists at the same time; try again shortly')
