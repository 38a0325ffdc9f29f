/** Who may read the Contest API (P26). */
export const CONTEST_API_POLICY = 'user or Basic, or none if public'
