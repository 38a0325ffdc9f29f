/** What stands in `list_versions` (migration 0004), and by which tables it is changed. */
type ChangeName =
  /** problems, problem_categories, categories */
  | 'problems'
  /** categories */
  | 'categories'
  /** languages */
  | 'languages'
  /** events, event_problems */
  | 'events'
  /** event_participants */
  | 'participants'

/** The audience of a list that is the same to everybody. */
export const EVERYBODY = `'everybody'`

/** SQL text that is another after every change of what these names stand for, in whatever order their transactions commit. */
export const changesOf = (...names: readonly ChangeName[]) => changes(names.map((name) => `'${name}'`))

/** The same with the standings of $4 event beside them. */
export const changesOfStandings = (...names: readonly ChangeName[]) =>
  changes([`'standings ' || $4::integer`, ...names.map((name) => `'${name}'`)])

function changes(names: readonly string[]): string {
  return `(
      select string_agg(list_versions.version::text, ' ' order by list_versions.name, list_versions.slot)
      from list_versions
      where list_versions.name = any (array['all', ${names.join(', ')}]))`
}
