import { JudgeApiError } from '@judge-data-layer/client/errors'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Polling, startPolling } from '../shared/poll.ts'
import { type Address, type Board, openSource } from './source.ts'

const INTERVAL_MS = 2000
const TIMEOUT_MS = 10_000

export interface BoardState {
  /** The last one that was read. */
  readonly board: Board | undefined
  /** Why the last round has failed. */
  readonly failure: unknown
  /** When the service last responded, by the local monotonic clock. */
  readonly respondedMs: number
  /** Reads the standings now. */
  refresh(): void
}

/** Polls the scoreboard of an event. */
export function useBoard(address: Address): BoardState {
  const [state, setState] = useState<Omit<BoardState, 'refresh'>>(() => ({
    ...{ board: undefined, failure: undefined, respondedMs: performance.now() },
  }))
  const polling = useRef<Polling>(undefined)
  useEffect(() => {
    const readBoard = openSource(address)
    let board: Board | undefined
    polling.current = startPolling({
      intervalMs: INTERVAL_MS,
      timeoutMs: TIMEOUT_MS,
      request: async (signal) => {
        board = await readBoard(board, signal)
      },
      onRound: (failure) =>
        setState(({ respondedMs }) => {
          const hasResponded = failure === undefined || failure instanceof JudgeApiError
          return { board, failure, respondedMs: hasResponded ? performance.now() : respondedMs }
        }),
    })
    return () => polling.current?.stop()
  }, [address])
  return { ...state, refresh: () => polling.current?.refresh() }
}
