/** SQL expression of a UUID as 22 characters: base64url. */
const shortOf = (uuid: string) => `translate(left(encode(uuid_send(${uuid}), 'base64'), 22), '+/', '-_')`

/** SQL expression of a judgement's id; `place` counts its verdicts from the oldest (P26). */
export const judgementId = (submission: string, place: string) =>
  `('j' || ${shortOf(submission)} || '-' || ${place})`

/** SQL expression of a run's id; `ordinal` is the number of its test case. */
export const runId = (judgement: string, ordinal: string) =>
  `('r' || substr(${judgement}, 2) || '-' || ${ordinal})`

/** SQL expression of the id of a question's answer. The id of the question is its UUID. */
export const answerId = (question: string) => `('a' || ${shortOf(question)})`

const JUDGEMENT = /^j([\w-]{22})-[1-9]\d{0,5}$/
const RUN = /^r([\w-]{22})-[1-9]\d{0,5}-[1-9]\d{0,4}$/
const ANSWER = /^a([\w-]{22})$/

/** The submission of a judgement; undefined if no judgement has this id. */
export const submissionOfJudgement = (id: string) => uuidIn(JUDGEMENT, id)

/** The submission of a run; undefined if no run has this id. */
export const submissionOfRun = (id: string) => uuidIn(RUN, id)

/** The question of this id: its own, or that of its answer. */
export const questionOf = (id: string) => uuidIn(ANSWER, id) ?? id

function uuidIn(pattern: RegExp, id: string): string | undefined {
  const short = pattern.exec(id)?.[1]
  if (short === undefined) return undefined
  const bytes = Buffer.from(short, 'base64url')
  // The last character has four bits that belong to no byte.
  if (bytes.toString('base64url') !== short) return undefined
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
