import { type FormatVersion, isLegacy, type ProblemType } from '../package/package-problem.ts'
import {
  faultOfPart,
  readBoolean,
  readMap,
  readOneOrMore,
  readOptional,
  readString,
  warnOfPart,
  warnOfUnknownKeys,
  type YamlMap,
  type YamlPart,
} from '../package/yaml-part.ts'

/** How a problem is judged. */
export interface Judging {
  readonly type: readonly ProblemType[]
  readonly has_custom_validator?: boolean
}

const TYPES = ['pass-fail', 'scoring', 'interactive', 'multi-pass', 'submit-answer'] as const

/** Types that exclude each other. */
const INCOMPATIBLE = [
  ['pass-fail', 'scoring'],
  ['multi-pass', 'submit-answer'],
  ['interactive', 'submit-answer'],
] as const

/** The type of a problem. Throws `PackageError` for types that the service cannot judge. */
export function readJudging(map: YamlMap, version: FormatVersion): Judging {
  const isOld = isLegacy({ format: version })
  const types = readOptional(map, 'type', (part) => readTypes(part, isOld)) ?? []
  if (version === '2025-09') return { type: completeTypes(types) }
  const validation = readOptional(map, 'validation', (part) => readValidation(part, types))
  const type = completeTypes([...types, ...(validation?.isInteractive ? (['interactive'] as const) : [])])
  readOptional(map, 'grading', (part) => checkGrading(part, type))
  return { type, ...(validation?.isCustom && { has_custom_validator: true }) }
}

/** The words of `type`: a list, or in legacy packages a string. */
function readTypes(part: YamlPart, isOld: boolean): ProblemType[] {
  if (isOld && typeof part.value !== 'string') throw faultOfPart(part, 'must be a string')
  const texts = isOld ? wordsOf(part) : readOneOrMore(part, readString)
  if (texts.length === 0) throw faultOfPart(part, 'must not be empty')
  const types = texts.map((text) => findType(part, text))
  const repeated = types.find((type, index) => types.indexOf(type) < index)
  if (repeated) throw faultOfPart(part, `must not have ${repeated} twice`)
  const pair = INCOMPATIBLE.find(([one, other]) => types.includes(one) && types.includes(other))
  if (pair) throw faultOfPart(part, `must not have both ${pair.join(' and ')}`)
  const unsupported = types.find((type) => type === 'multi-pass' || type === 'submit-answer')
  if (unsupported) throw faultOfPart(part, `${unsupported}: the service cannot judge such problems`)
  return types
}

function findType(part: YamlPart, text: string): ProblemType {
  const type = TYPES.find((one) => one === text)
  if (type === undefined) throw faultOfPart(part, `must be one of ${TYPES.join(', ')}, not "${text}"`)
  return type
}

/** The types in the order of the format, once each, with the implied `pass-fail`. */
function completeTypes(types: readonly ProblemType[]): ProblemType[] {
  const implied: readonly ProblemType[] = types.includes('scoring') ? [] : ['pass-fail']
  return TYPES.filter((type) => types.includes(type) || implied.includes(type))
}

function readValidation(part: YamlPart, types: readonly ProblemType[]) {
  const [kind, ...words] = wordsOf(part)
  const isCustom = kind === 'custom'
  if (words.includes('multi-pass'))
    throw faultOfPart(part, 'multi-pass: the service cannot judge such problems')
  const allowed = isCustom ? ['interactive', 'score'] : []
  if ((kind !== 'default' && !isCustom) || words.some((word) => !allowed.includes(word)))
    throw faultOfPart(part, 'must be default, or custom with interactive, score, both or neither')
  if (words.includes('score') && !types.includes('scoring'))
    throw faultOfPart(part, 'score is only for problems with type: scoring')
  return { isCustom, isInteractive: words.includes('interactive') }
}

function checkGrading(part: YamlPart, type: readonly ProblemType[]): void {
  const map = readMap(part)
  warnOfUnknownKeys(map, ['objective', 'show_test_data_groups'])
  if (!type.includes('scoring')) warnOfPart(part, 'only for problems with type: scoring: not used')
  readOptional(map, 'objective', checkObjective)
  readOptional(map, 'show_test_data_groups', (value) => {
    if (readBoolean(value)) warnOfPart(value, 'not used: the service has no such setting')
  })
}

function checkObjective(part: YamlPart): void {
  const objective = readString(part)
  if (objective === 'min') throw faultOfPart(part, 'min: scores that are minimised are not supported')
  if (objective !== 'max') throw faultOfPart(part, 'must be max or min')
}

const wordsOf = (part: YamlPart) => readString(part).split(/\s+/)
