/** Messages of 400 responses for rules that a schema cannot express. */
export const RULES: readonly RegExp[] = [
  /^after must be the cursor out of a Link header$/,
  /^limit must be given, or be smaller/,
  /^judging and attempt must not differ$/,
  /^failed_test_case_id must be null or absent with ACCEPTED$/,
  /^\S+ is not a test case of the submission’s problem$/,
  /^At least one of (\w+(, )?)+ is required$/,
  /^event_id is required: the problem is part of a running event$/,
  /^problem_id must be a problem of the event$/,
  /^end_time must be after start_time$/,
  /^name must be one of the judge’s languages: /,
  /^extension must be one of .* for /,
  /^name and version must not be those of a language that exists$/,
  /^test_cases must name each id once$/,
  /^problems must name each problem once$/,
  /^user and team must not be given together$/,
  /^team must not be given: the event has no teams$/,
]
