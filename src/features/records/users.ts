/** The JSON of a user; the row of a deleted user has no personal data left (D16). */
export const userJson = (user: string) => `json_build_object(
    'id', ${user}.id,
    'name', ${user}.name,
    'email', ${user}.email,
    'image', ${user}.image,
    'is_admin', ${user}.is_admin,
    'join_date', utc(${user}.join_date))`
