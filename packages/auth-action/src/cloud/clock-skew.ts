const noticeableMs = 30_000;

type Details = Readonly<Record<string, unknown>>;

/**
 * Adds `clockSkewSeconds` to the details of an error when the Date header of an answer and the clock of this machine
 * are at least half a minute apart; positive: this machine is ahead. A wrong clock makes good tokens look stale.
 */
export function withClock(details: Details, dateHeader: string | undefined, now: number): Details {
  const serverMs = Date.parse(dateHeader ?? '');
  const skewMs = now - serverMs;
  return Math.abs(skewMs) >= noticeableMs ? { ...details, clockSkewSeconds: Math.round(skewMs / 1000) } : details;
}
