/**
 * A JSON object that has the field `optional` only where `condition` holds (D5). Use the shorter
 * `json_strip_nulls` for objects without long texts: it doubles the time of building the object.
 */
export const withOptional = (fields: string, condition: string, optional: string) => `case when ${condition}
      then json_build_object(${fields}, ${optional})
      else json_build_object(${fields}) end`
