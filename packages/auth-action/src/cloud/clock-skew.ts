const reportedSkewMs = 30_000;

type Details = Readonly<Record<string, unknown>>;

/**
 * Adds `clockSkewSeconds` to the details of an error if the Date header and the clock of the runner differ by at least
 * 30 seconds; positive if the runner is ahead. A wrong clock makes valid tokens look expired.
 */
export function withClockSkew(details: Details, dateHeader: string | undefined, now: number): Details {
  const serverMs = Date.parse(dateHeader ?? '');
  const skewMs = now - serverMs;
  return Math.abs(skewMs) >= reportedSkewMs ? { ...details, clockSkewSeconds: Math.round(skewMs / 1000) } : details;
}
