/**
 * A JSON object that has the field `optional` only where `condition` holds (D5). `json_strip_nulls` is
 * shorter, but takes as long again as building the object: use it where the object has no long text.
 */
export const withOptional = (fields: string, condition: string, optional: string) => `case when ${condition}
      then json_build_object(${fields}, ${optional})
      else json_build_object(${fields}) end`
