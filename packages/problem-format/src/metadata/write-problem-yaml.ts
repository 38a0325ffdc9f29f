import { stringify } from 'yaml'
import type { Credits, PackageLimits, PackageMetadata, Person } from '../package/package-problem.ts'
import { withoutUndefined } from '../package/yaml-part.ts'
import { parsePerson } from './credits.ts'
import { isMultiple } from './limits.ts'

/**
 * `problem.yaml` of version 2025-09. It has no settings of legacy packages, and no `short_name`.
 */
export function writeProblemYaml(metadata: PackageMetadata): string {
  const { type, names, credits, constants, keywords, limits } = metadata
  const { uuid, version, source, license, rights_owner, embargo_until, languages, allow_file_writing } =
    metadata
  const document = withoutUndefined({
    problem_format_version: '2025-09',
    type: oneOrList(type),
    name: Object.keys(names).join() === 'en' ? names.en : names,
    uuid,
    version,
    credits: credits && writeCredits(credits),
    source,
    license,
    rights_owner,
    embargo_until,
    limits: writeLimits(limits),
    keywords: keywords.length > 0 ? keywords : undefined,
    languages,
    allow_file_writing,
    constants,
  })
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })
}

function writeCredits({ translators, ...roles }: Credits) {
  const entries = Object.entries(roles).map(([role, persons]) => [role, persons.map(writePerson)] as const)
  const byLanguage = Object.entries(translators ?? {}).map(
    ([language, persons]) => [language, persons.map(writePerson)] as const,
  )
  return {
    ...Object.fromEntries(entries),
    ...(translators && { translators: Object.fromEntries(byLanguage) }),
  }
}

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
