import { createHash } from 'node:crypto'
import { verdictStatuses } from '../../judging/submissions/rules.ts'
import { type Collection, defineCollection } from './collection.ts'
import { CONTEST } from './visibility.ts'

const ACCEPTED = 'ACCEPTED'

/** The ids of the usual statuses (D23); other statuses are their own ids. */
const IDS: Readonly<Record<string, string>> = {
  [ACCEPTED]: 'AC',
  WRONG_ANSWER: 'WA',
  PRESENTATION_ERROR: 'PE',
  TIME_LIMIT_EXCEEDED: 'TLE',
  MEMORY_LIMIT_EXCEEDED: 'MLE',
  OUTPUT_LIMIT_EXCEEDED: 'OLE',
  RUNTIME_ERROR: 'RTE',
  COMPILE_TIME_ERROR: 'CE',
  INTERNAL_ERROR: 'JE',
}

/** Statuses that are no tries of the contestant (D35). */
const WITHOUT_PENALTY = [ACCEPTED, 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR']

const NAMES: Readonly<Record<string, string>> = {
  RUNTIME_ERROR: 'Run-Time Error',
  COMPILE_TIME_ERROR: 'Compile Error',
  INTERNAL_ERROR: 'Judging Error',
}

/** An id has at most 36 characters. */
const MOST_CHARACTERS = 36

/** SQL expression of the id of a status's judgement type. */
export const judgementTypeOf = (status: string) => `case ${status}
${Object.entries(IDS)
  .map(([name, id]) => `        when '${name}' then '${id}'`)
  .join('\n')}
        else left(${status}, ${MOST_CHARACTERS}) end`

/** Defines the judgement types: the usual types and `JUDGE_EXTRA_STATUSES` (D23). */
export function defineJudgementTypes(extraStatuses: readonly string[]): Collection {
  const statuses = verdictStatuses(extraStatuses)
  const arrays = [
    textArray(statuses.map((status) => IDS[status] ?? status.slice(0, MOST_CHARACTERS))),
    textArray(statuses.map((status) => NAMES[status] ?? nameOf(status))),
    `array[${statuses.map((status) => !WITHOUT_PENALTY.includes(status)).join(', ')}]`,
    `array[${statuses.map((status) => status === ACCEPTED).join(', ')}]`,
  ]
  return defineCollection({
    type: 'judgement-types',
    ...(extraStatuses.length > 0 && { variant: hashOf(extraStatuses.join(' ')) }),
    with: CONTEST,
    id: 'judged.id',
    item: `json_build_object('id', judged.id, 'name', judged.name, 'penalty', judged.penalty, 'solved', judged.solved)`,
    from: `contest
        cross join unnest(${arrays.join(', ')}) with ordinality as judged (id, name, penalty, solved, place)`,
    where: 'true',
    key: 'judged.id',
    keyType: 'text',
    order: 'judged.place',
  })
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** The configuration allows capital letters, digits and underscores only. */
const textArray = (texts: readonly string[]) => `array[${texts.map((text) => `'${text}'`).join(', ')}]`

/** `SECURITY_VIOLATION` becomes `Security Violation`. */
const nameOf = (status: string) =>
  status
    .toLowerCase()
    .replaceAll('_', ' ')
    .replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
