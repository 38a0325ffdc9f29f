const WHOLE = 'reads a whole growing table, because it lists it'

const SEARCHES = 'reads the tables of the search migrations, which this database does not have'

const SUBMISSIONS = 'reads the submissions of the contest, most of this database, for retired languages'

const PEOPLE = 'reads most users of this database, because it ranks or lists all participants'

/** Statements without a case, each with the reason. */
export const exempt: Readonly<Record<string, string>> = {
  list_users_whole: WHOLE,
  list_problems_whole: WHOLE,
  list_events_whole: WHOLE,
  list_event_submissions_whole: 'reads most submissions of the database, because it lists them',
  list_contest_api_contests: WHOLE,
  list_contest_accounts: PEOPLE,
  list_contest_languages: SUBMISSIONS,
  find_contest_languages: SUBMISSIONS,
  list_contest_awards: PEOPLE,
  find_contest_awards: PEOPLE,
  read_contest_awards: PEOPLE,
  read_contest_scoreboard: PEOPLE,
  read_standings_csv_by_user: PEOPLE,
  read_standings_csv_by_team: PEOPLE,
  read_database_identity: 'reads the databases of a server, which are few',
  delete_old_changes: 'deletes a tenth of this table at once, by its order',
  delete_unknown_resets: 'reads a table of at most 1,024 rows',
  list_found_problems_whole: SEARCHES,
  list_found_problems_first: SEARCHES,
  list_found_problems_after: SEARCHES,
}
