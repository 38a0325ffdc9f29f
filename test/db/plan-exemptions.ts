const WHOLE = 'reads a whole growing table, because it lists it'

const SEARCHES = 'reads the tables of the search migrations, which this database does not have'

/** Statements without a case, each with the reason. */
export const exempt: Readonly<Record<string, string>> = {
  list_users_whole: WHOLE,
  list_problems_whole: WHOLE,
  list_events_whole: WHOLE,
  list_event_submissions_whole: 'reads most submissions of the database, because it lists them',
  delete_unknown_resets: 'reads a table of at most 1,024 rows',
  list_found_problems_whole: SEARCHES,
  list_found_problems_first: SEARCHES,
  list_found_problems_after: SEARCHES,
}
