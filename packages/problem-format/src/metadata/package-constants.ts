import type { PackageMetadata } from '../package/package-problem.ts'
import { faultOfPart, isMap, readMap, type YamlPart } from '../package/yaml-part.ts'

type Constants = NonNullable<PackageMetadata['constants']>
type Value = string | number

/** `constants`: by name a value, or a map with `value` and other spellings of it. */
export function readConstants(part: YamlPart): Constants {
  const entries = [...readMap(part)].map(([name, one]): [string, Record<string, Value>] => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw faultOfPart(one, 'must have a name of letters, digits and _ that does not begin with a digit')
    return [name, isMap(one) ? readVariants(one) : { value: readValue(one) }]
  })
  return Object.fromEntries(entries)
}

function readVariants(part: YamlPart): Record<string, Value> {
  const map = readMap(part)
  if (!map.has('value')) throw faultOfPart(part, 'must have a value')
  return Object.fromEntries([...map].map(([name, one]): [string, Value] => [name, readValue(one)]))
}

/** A number that JavaScript would print in another way stays a text: 2^63 or 1e9 do not change. */
function readValue(part: YamlPart): Value {
  const { file, place, value } = part
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw faultOfPart(part, 'must be a number or a string')
  const source = file.sourceOf(place)
  return source === undefined || source === String(value) ? value : source
}
