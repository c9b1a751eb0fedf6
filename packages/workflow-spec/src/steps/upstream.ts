import type { Step } from '../model/step';

/** Whether the first step waits for the second, directly or not. */
export type Upstream = (name: string, before: string) => boolean;

const wordBits = 32;

/**
 * Answers for all pairs of steps. The work is done at the first question: one set of bits for each step, each word of
 * it joined once for each dependency. About steps of a cycle, and those behind one, every answer is yes: the cycle has
 * been reported, and more than that cannot be said.
 */
export function createUpstream(steps: readonly Pick<Step, 'name' | 'depends'>[]): Upstream {
  let reachability: Reachability | undefined;
  return (name, before) => {
    reachability ??= computeReach(steps);
    const bits = reachability.bits.get(name);
    const index = reachability.indexes.get(before);
    if (index === undefined) return false;
    return !bits || ((bits[Math.floor(index / wordBits)] ?? 0) & (1 << (index % wordBits))) !== 0;
  };
}

interface Reachability {
  readonly indexes: ReadonlyMap<string, number>;
  /** Without the steps of cycles and those behind them. */
  readonly bits: ReadonlyMap<string, Uint32Array>;
}

function computeReach(steps: readonly Pick<Step, 'name' | 'depends'>[]): Reachability {
  const indexes = new Map(steps.map(({ name }, index) => [name, index]));
  const bits = new Map<string, Uint32Array>();
  for (const { name, depends } of sortTopologically(steps)) {
    const own = new Uint32Array(Math.ceil(steps.length / wordBits));
    for (const before of depends) {
      const index = indexes.get(before) ?? 0;
      mergeBits(own, bits.get(before) ?? own);
      own[Math.floor(index / wordBits)] = (own[Math.floor(index / wordBits)] ?? 0) | (1 << (index % wordBits));
    }
    bits.set(name, own);
  }
  return { indexes, bits };
}

// A plain loop: it is run for each dependency, and a callback for each word is ten times slower.
function mergeBits(own: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < own.length; at += 1) own[at] = (own[at] ?? 0) | (other[at] ?? 0);
}

/** Each step after all that it waits for; steps of cycles and those behind them are left out. */
function sortTopologically<S extends Pick<Step, 'name' | 'depends'>>(steps: readonly S[]): readonly S[] {
  const waiting = new Map(steps.map(({ name, depends }) => [name, depends.length]));
  const after = new Map<string, S[]>();
  for (const step of steps) {
    for (const before of step.depends) {
      const list = after.get(before);
      if (list) list.push(step);
      else after.set(before, [step]);
    }
  }
  const order = steps.filter(({ depends }) => depends.length === 0);
  for (const { name } of order) {
    for (const step of after.get(name) ?? []) {
      const left = (waiting.get(step.name) ?? 0) - 1;
      waiting.set(step.name, left);
      if (left === 0) order.push(step);
    }
  }
  return order;
}
