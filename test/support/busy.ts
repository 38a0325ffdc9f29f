import type { TestResponse } from './caller.ts'

/** Sends again, ten times at most, what the service refuses for lack of time on a busy machine. */
export async function sendAgainIfBusy(send: () => Promise<TestResponse>): Promise<TestResponse> {
  let response = await send()
  for (let tries = 0; tries < 10 && response.status === 503; tries += 1) response = await send()
  return response
}
