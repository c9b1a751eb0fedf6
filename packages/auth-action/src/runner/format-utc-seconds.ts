/** RFC 3339 in UTC without fractional seconds: some clients parse nothing else. */
export function formatUtcSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
