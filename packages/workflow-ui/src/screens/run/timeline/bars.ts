import type { Attempt, AttemptsByStep } from '../journal/list-attempts';
import type { Run } from '../../../parts/run/run-data';
import type { StepRow } from '../../../parts/run/step-rows';

/** The kind of a part of a step's time: `wait` lasts from the end of the steps before it, `gap` is between two attempts. */
export type BarKind = 'wait' | 'run' | 'gap' | 'person';

export interface Bar {
  readonly kind: BarKind;
  readonly from: number;
  readonly to: number;
  /** For `run`, the status at the end of the attempt; missing while it lasts. */
  readonly status?: string | undefined;
}

export interface BarInput {
  readonly run: Run;
  readonly rows: readonly StepRow[];
  readonly attempts: AttemptsByStep;
  /** The end of bars that have not ended. */
  readonly now: number;
}

/** The part of the run's length that is left for the duration after the last bar. */
const roomForText = 0.3;

/** Returns the range from storing the run to its end, with room for text. */
export function rangeOf({ queuedAt, createdAt, startedAt, finishedAt }: Run, now: number): readonly [number, number] {
  const from = Date.parse(queuedAt ?? createdAt ?? startedAt);
  const to = finishedAt === '' ? now : Date.parse(finishedAt);
  const begin = Number.isNaN(from) ? now : from;
  return [begin, begin + Math.max(0, to - begin) * (1 + roomForText)];
}

/** Returns the bars of a row, by its id. A step that has not begun has none. */
export function listBars({ run, rows, attempts, now }: BarInput): ReadonlyMap<string, readonly Bar[]> {
  const ends = new Map(rows.map(({ name, node }) => [name, Date.parse(node.finishedAt)]));
  const runStart = Date.parse(run.startedAt);
  return new Map(
    rows.map((row) => {
      const own = attempts.get(journalName(row)) ?? [];
      const parts =
        own.length === 0
          ? fromNode(row, now)
          : own.flatMap((each, index) => attemptBars(each, own[index + 1], row, now));
      const first = parts[0];
      if (first === undefined) return [row.id, []];
      const ready = Math.max(runStart, ...(row.node.step.depends ?? []).map((name) => ends.get(name) ?? runStart));
      const isReadyKnown = row.handler === undefined && ready < first.from;
      return [row.id, isReadyKnown ? [{ kind: 'wait', from: ready, to: first.from }, ...parts] : parts];
    }),
  );
}

/** Returns the name of the step in the journal of the run. */
export function journalName({ name, handler }: Pick<StepRow, 'name' | 'handler'>): string {
  return handler === undefined ? name : `on/${handler.slice(2).toLowerCase()}/${name}`;
}

function attemptBars(attempt: Attempt, next: Attempt | undefined, { node }: StepRow, now: number): readonly Bar[] {
  const stepEnd = node.finishedAt === '' ? now : Date.parse(node.finishedAt);
  const end = attempt.endedAt ?? next?.startedAt ?? stepEnd;
  const runEnd = Math.max(attempt.startedAt, attempt.waitsSince ?? end);
  const isLast = next === undefined;
  const status = attempt.status ?? (isLast ? node.statusLabel : undefined);
  const bars: Bar[] = [{ kind: 'run', from: attempt.startedAt, to: runEnd, status }];
  if (attempt.waitsSince !== undefined)
    bars.push({ kind: 'person', from: attempt.waitsSince, to: Math.max(end, attempt.waitsSince) });
  const until = next?.startedAt ?? (node.statusLabel === 'retrying' ? now : undefined);
  if (until !== undefined && until > end) bars.push({ kind: 'gap', from: end, to: until });
  return bars;
}

/** Without a journal the step is one bar. */
function fromNode({ node: { startedAt, finishedAt, statusLabel } }: StepRow, now: number): readonly Bar[] {
  if (startedAt === '') return [];
  const to = finishedAt === '' ? now : Date.parse(finishedAt);
  const kind = statusLabel === 'waiting' ? 'person' : 'run';
  return [{ kind, from: Date.parse(startedAt), to, status: statusLabel }];
}
