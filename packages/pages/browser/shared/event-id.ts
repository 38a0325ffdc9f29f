/** The id of the event in the path of the page: `/v1/scoreboard/12`. */
export function readEventId(path: string): number {
  return Number(path.split('/').at(-1))
}
