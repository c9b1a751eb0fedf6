import type { Step } from '../../model/step';

/** Whether the first step depends on the second, directly or transitively. */
export type Upstream = (name: string, before: string) => boolean;

const wordBits = 32;

/**
 * Answers for all pairs of steps. The first call computes a bit set per step, merging those of its dependencies. For
 * steps on a cycle or behind one the answer is always true: the cycle is reported, and nothing more is known.
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
  /** Steps on cycles or behind them are left out. */
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

// The loop is plain, because it runs for each dependency, and a callback per word is ten times slower.
function mergeBits(own: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < own.length; at += 1) own[at] = (own[at] ?? 0) | (other[at] ?? 0);
}

/** Leaves out steps on cycles or behind them. */
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
