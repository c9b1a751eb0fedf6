import type { StatusKind } from '@weir/ui-kit';
import type { GraphStep } from './graph-step';

export interface Marks {
  readonly selected?: string | undefined;
  /** The matches of a search, if there is one. */
  readonly found?: ReadonlySet<string> | undefined;
  /** The steps of the critical path, in their order, while it is shown. */
  readonly critical?: readonly string[] | undefined;
}

/** The parts of a node that change while its position does not. */
export interface NodeLook {
  readonly status: StatusKind | undefined;
  /** The number of the node's steps that have ended. */
  readonly ended: number;
  /** The steps of the node that need attention, because they have failed. */
  readonly failed: readonly string[];
  readonly isSelected: boolean;
  readonly isFaded: boolean;
  readonly isCritical: boolean;
}

const done: ReadonlySet<StatusKind> = new Set(['succeeded', 'partially_succeeded', 'skipped']);
const ended: ReadonlySet<StatusKind> = new Set([...done, 'failed', 'rejected', 'aborted']);

/** A folded node has the status that most needs attention. */
const byAttention: readonly StatusKind[] = [
  ...(['failed', 'rejected', 'waiting', 'retrying', 'running', 'queued', 'aborted'] as const),
  ...(['not_started', 'partially_succeeded', 'succeeded', 'skipped'] as const),
];

/** Whether a step needs no more attention. */
export function isDone(status: StatusKind | undefined): boolean {
  return status !== undefined && done.has(status);
}

/**
 * Holds the statuses and marks of the nodes. They are kept apart from the nodes, so that a change redraws only the
 * nodes that it is about.
 */
export class GraphStore {
  #statuses: ReadonlyMap<string, StatusKind> = new Map();
  #marks: Marks = {};
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  setSteps(steps: readonly GraphStep[]): void {
    this.#statuses = new Map(steps.flatMap(({ name, status }) => (status === undefined ? [] : [[name, status]])));
    this.#announce();
  }

  setMarks(marks: Marks): void {
    this.#marks = marks;
    this.#announce();
  }

  statusOf(name: string): StatusKind | undefined {
    return this.#statuses.get(name);
  }

  lookOf(names: readonly string[]): NodeLook {
    const statuses = names.flatMap((name) => this.#statuses.get(name) ?? []);
    const { selected, found, critical } = this.#marks;
    return {
      status: byAttention.find((kind) => statuses.includes(kind)),
      ended: statuses.filter((status) => ended.has(status)).length,
      failed: names.filter((name) => this.#statuses.get(name) === 'failed'),
      isSelected: selected !== undefined && names.includes(selected),
      isFaded: found !== undefined && !names.some((name) => found.has(name)),
      isCritical: critical !== undefined && names.some((name) => critical.includes(name)),
    };
  }

  readonly getCritical = (): readonly string[] | undefined => this.#marks.critical;

  /** Returns the look as a text, which is equal for equal looks. */
  lookTextOf(names: readonly string[]): string {
    return JSON.stringify(this.lookOf(names));
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

export function readLook(text: string): NodeLook {
  return JSON.parse(text) as NodeLook;
}
