/** A column as ISO 8601 in UTC, whatever the session's time zone is. */
export const isoTime = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The database's time, as many milliseconds from now as the parameter says. */
export const timeAfter = (parameter: string): string => `clock_timestamp() + ${parameter}::double precision * interval '1 millisecond'`;
