export interface RunDay {
  /** The first column of the day. */
  readonly column: number;
  /** The number of consecutive columns on this day. */
  readonly count: number;
  /** The day as `2026-11-23`, in the time zone of the reader. */
  readonly day: string;
}

/** Returns the days on which runs began, in their order; runs that have not begun belong to the previous day. */
export function toRunDays(startedAt: readonly string[], dayOf: (time: string) => string): readonly RunDay[] {
  const days: RunDay[] = [];
  for (const [column, time] of startedAt.entries()) {
    const last = days.at(-1);
    const day = time === '' ? last?.day : dayOf(time);
    if (day === undefined) continue;
    if (last?.day === day) days[days.length - 1] = { ...last, count: column - last.column + 1 };
    else days.push({ column, count: 1, day });
  }
  return days;
}
