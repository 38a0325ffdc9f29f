import { createHash } from 'node:crypto'
import { verdictStatuses } from '../../judging/submissions/rules.ts'
import { type Collection, defineCollection } from './collection.ts'

/** A usual status (D23) as a judgement type; other statuses are their own ids. */
interface UsualType {
  readonly id: string
  /** Default: the words of the status. */
  readonly name?: string
  /** Default: it is a try of the contestant (D35). */
  readonly penalty?: false
}

const ACCEPTED = 'ACCEPTED'

const USUAL: Readonly<Record<string, UsualType>> = {
  [ACCEPTED]: { id: 'AC', penalty: false },
  WRONG_ANSWER: { id: 'WA' },
  PRESENTATION_ERROR: { id: 'PE' },
  TIME_LIMIT_EXCEEDED: { id: 'TLE' },
  MEMORY_LIMIT_EXCEEDED: { id: 'MLE' },
  OUTPUT_LIMIT_EXCEEDED: { id: 'OLE' },
  RUNTIME_ERROR: { id: 'RTE', name: 'Run-Time Error' },
  COMPILE_TIME_ERROR: { id: 'CE', name: 'Compile Error', penalty: false },
  INTERNAL_ERROR: { id: 'JE', name: 'Judging Error', penalty: false },
}

/** An id has at most 36 characters. */
const MOST_CHARACTERS = 36

/** SQL expression of the id of a status's judgement type. */
export const judgementTypeOf = (status: string) => `case ${status}
${Object.entries(USUAL)
  .map(([name, { id }]) => `        when '${name}' then '${id}'`)
  .join('\n')}
        else left(${status}, ${MOST_CHARACTERS}) end`

/** Defines the judgement types: the usual types and `JUDGE_EXTRA_STATUSES` (D23). */
export function defineJudgementTypes(extraStatuses: readonly string[]): Collection {
  const statuses = verdictStatuses(extraStatuses)
  const arrays = [
    textArray(statuses.map((status) => USUAL[status]?.id ?? status.slice(0, MOST_CHARACTERS))),
    textArray(statuses.map((status) => USUAL[status]?.name ?? nameOf(status))),
    `array[${statuses.map((status) => USUAL[status]?.penalty ?? true).join(', ')}]`,
    `array[${statuses.map((status) => status === ACCEPTED).join(', ')}]`,
  ]
  return defineCollection({
    type: 'judgement-types',
    ...(extraStatuses.length > 0 && { variant: hashOf(extraStatuses.join(' ')) }),
    item: `json_build_object('id', judged.id, 'name', judged.name, 'penalty', judged.penalty, 'solved', judged.solved)`,
    from: `contest
        cross join unnest(${arrays.join(', ')}) with ordinality as judged (id, name, penalty, solved, place)`,
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
