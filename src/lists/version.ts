/** A name in `list_versions`; triggers give it a new version after every change of its tables. */
type ChangeName =
  /** problems, problem_categories, categories */
  | 'problems'
  /** categories */
  | 'categories'
  /** languages, available_languages */
  | 'languages'
  /** events, event_problems */
  | 'events'
  /** event_participants */
  | 'participants'
  /** scoreboard_tokens */
  | 'scoreboard tokens'

/** A version of the contest `:event_id` alone. */
type ContestChange =
  /** The contest and its problems */
  | 'contest'
  /** Its participants and their names; a team changes with its members */
  | 'people'

/** The audience of a list that is the same for all users. */
export const EVERYBODY = `'everybody'`

/** SQL expression that changes its value after every committed change of these tables. */
export const changesOf = (...names: readonly ChangeName[]) => versionsOf(names.map((name) => `'${name}'`))

/** The same for changes of the contest `:event_id`. */
export const changesOfContest = (...names: readonly ContestChange[]) => versionsOf(names.map(nameOf))

/**
 * The same, also after changes of what the standings of `:event_id` show; where `isLive`, after
 * every change of them.
 */
export const changesOfStandings = (isLive: string, ...names: readonly ContestChange[]) =>
  versionsOf(standingsNames(isLive, names))

/** The time of the last change that `changesOfStandings` shows. */
export const lastChangeOfStandings = (isLive: string, ...names: readonly ContestChange[]) => `(
      select max(list_versions.changed_at)
      from list_versions
      where list_versions.name = any (array['all', ${standingsNames(isLive, names).join(', ')}]))`

const nameOf = (name: ContestChange) => `'${name} ' || :event_id`

const standingsNames = (isLive: string, names: readonly ContestChange[]) => [
  `'standings ' || :event_id`,
  `case when ${isLive} then 'frozen standings ' || :event_id end`,
  ...names.map(nameOf),
]

function versionsOf(names: readonly string[]): string {
  return `(
      select string_agg(list_versions.version::text, ' ' order by list_versions.name, list_versions.slot)
      from list_versions
      where list_versions.name = any (array[${["'all'", ...names].join(', ')}]))`
}
