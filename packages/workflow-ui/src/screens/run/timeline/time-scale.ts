export interface Tick {
  /** Part of the width, from 0 to 1. */
  readonly at: number;
  /** Milliseconds since the beginning of the scale. */
  readonly ms: number;
}

export interface TimeScale {
  /** Returns the part of the width at which a time is, from 0 to 1. */
  readonly place: (time: number) => number;
  readonly ticks: readonly Tick[];
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28, 90, 365].map((count) => count * day),
];

/** Creates a linear scale over a range of times, with at most `maxTicks` marks at round durations since its beginning. */
export function createTimeScale([from, to]: readonly [number, number], maxTicks = 6): TimeScale {
  const length = Math.max(1, to - from);
  const step = steps.find((candidate) => length / candidate <= maxTicks) ?? length;
  const count = Math.floor(length / step);
  return {
    place: (time) => Math.min(1, Math.max(0, (time - from) / length)),
    ticks: Array.from({ length: count + 1 }, (_, index) => ({ at: (index * step) / length, ms: index * step })),
  };
}
