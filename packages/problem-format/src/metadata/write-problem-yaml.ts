import { stringify } from 'yaml'
import type { Credits, PackageLimits, PackageMetadata, Person } from '../package/package-problem.ts'
import { withoutUndefined } from '../package/yaml-part.ts'
import { isMultiple } from './limits.ts'
import { parsePerson } from './origin.ts'

/** `problem.yaml` of version 2025-09, without `short_name` and the settings of legacy packages. */
export function writeProblemYaml(metadata: PackageMetadata): string {
  const { type, names, uuid, version, credits, source, license, rights_owner, embargo_until } = metadata
  const { limits, keywords, languages, allow_file_writing, constants } = metadata
  const document = withoutUndefined({
    problem_format_version: '2025-09',
    type: oneOrList(type),
    name: Object.keys(names).join() === 'en' ? names.en : names,
    ...{ uuid, version, credits: credits && writeCredits(credits) },
    ...{ source, license, rights_owner, embargo_until, limits: writeLimits(limits) },
    keywords: keywords.length > 0 ? keywords : undefined,
    ...{ languages, allow_file_writing, constants },
  })
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })
}

const writeCredits = ({ translators, ...roles }: Credits) => ({
  ...writePersons(roles),
  ...(translators && { translators: writePersons(translators) }),
})

const writePersons = (lists: Readonly<Record<string, readonly Person[]>>) =>
  Object.fromEntries(Object.entries(lists).map(([name, persons]) => [name, persons.map(writePerson)]))

/** A name alone is a string unless it would be read as a name with an address. */
function writePerson(person: Person): Person | string {
  const { name, ...rest } = person
  return Object.keys(rest).length === 0 && parsePerson(name).email === undefined ? name : person
}

/** A time limit must be a multiple of the resolution, 1 s unless the package says otherwise. */
function writeLimits(limits: PackageLimits): PackageLimits | undefined {
  const { time_limit, time_resolution = 1 } = limits
  if (time_limit === undefined || isMultiple(time_limit, time_resolution))
    return Object.keys(limits).length > 0 ? limits : undefined
  const resolution = [0.1, 0.01, 0.001].find((one) => isMultiple(time_limit, one)) ?? time_limit
  return { ...limits, time_resolution: resolution }
}

const oneOrList = <T>(list: readonly T[]) => (list.length === 1 ? list[0] : list)
