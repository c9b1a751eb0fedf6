import { networkFaults, type NetworkFault } from './network';

export const faults = ['kill', 'pause', ...networkFaults] as const satisfies readonly (
  NetworkFault | 'kill' | 'pause'
)[];
export type Fault = (typeof faults)[number];

/** The fault of a machine from the beginning of the round. A killed machine is started again at its end. */
export interface PlannedFault {
  readonly machine: string;
  readonly fault: Fault;
  readonly beginMs: number;
  readonly endMs: number;
}

export interface PlanOptions {
  /** The machines by role; at least one of each role has no fault at any moment. */
  readonly machines: Readonly<Record<string, readonly string[]>>;
  readonly count: number;
  readonly spanMs: number;
  readonly longestMs: number;
  readonly random: () => number;
}

/** Decided by the random numbers alone. A machine has one fault at a time. */
export function planFaults({ machines, count, spanMs, longestMs, random }: PlanOptions): readonly PlannedFault[] {
  const planned: PlannedFault[] = [];
  const all = Object.values(machines).flat();
  for (let index = 0; index < count; index += 1) {
    const machine = all[Math.floor(random() * all.length)] ?? '';
    const fault = faults[Math.floor(random() * faults.length)] ?? 'kill';
    const beginMs = Math.floor(random() * spanMs);
    const endMs = beginMs + 1_000 + Math.floor(random() * (longestMs - 1_000));
    const group = Object.values(machines).find((names) => names.includes(machine)) ?? [];
    const overlapping = planned.filter((other) => other.beginMs < endMs && beginMs < other.endMs);
    const affected = new Set(overlapping.map((other) => other.machine).filter((name) => group.includes(name)));
    if (affected.has(machine) || affected.size + 1 >= group.length) continue;
    planned.push({ machine, fault, beginMs, endMs });
  }
  return planned.toSorted((left, right) => left.beginMs - right.beginMs);
}
