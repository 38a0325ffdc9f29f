/** The parts of the service, in the order of the document. */
export const tags = {
  Health: 'Whether the service runs and can do its work.',
  Accounts: 'Registration, login and password reset.',
  Users: 'The users.',
  Problems: 'Problems with their test cases and categories.',
  Packages: 'Problems as packages: import, export, files and verification.',
  Submissions: 'Submitted programs and their verdicts.',
  Runs: 'Programs that run on the user’s own input, without a verdict.',
  Languages: 'The programming languages.',
  Judges: 'The workers that judge.',
  Events: 'Contests with their participants, problems, submissions and standings.',
  Teams: 'The teams of events that have teams.',
  Questions: 'Clarifications during an event.',
  Notifications: 'The user’s notifications.',
  Changes: 'Streams of server-sent events, which tell what to request again.',
  Pages: 'Pages for browsers, which use this API.',
  'Contest API': 'Contests for tools that speak the Contest API, version 2026-01.',
  Documentation: 'This document.',
}

export type Tag = keyof typeof tags
