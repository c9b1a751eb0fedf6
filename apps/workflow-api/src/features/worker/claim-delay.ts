const firstMs = 1_000;
const longestMs = 60_000;

/**
 * How long a run rests that was claimed with this token and could not be carried out. Each time it is longer, so that a
 * run which never can be does not keep a runner busy.
 */
export function computeClaimDelayMs(token: number): number {
  return Math.min(longestMs, firstMs * 2 ** (token - 1));
}
