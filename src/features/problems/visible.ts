/**
 * Whether the actor of a guarded statement ($1, $2) may see a problem: an admin, a judge, its author, and everybody where it is public
 * (D19).
 */
export const problemIsVisible = (problem: string) =>
  `(${problem}.deleted_at is null and (${problem}.public or $2::integer > 0 or ${problem}.user_id = $1::uuid))`
