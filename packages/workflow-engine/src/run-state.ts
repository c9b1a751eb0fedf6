import { AppError } from '@weir/errors';
import type { Plan } from './plan';
import {
  canMoveNode,
  dependencyGate,
  isActiveNode,
  isFineNode,
  isTerminalNode,
  isUnstartedNode,
  type NodeStatus,
  type RunStatus,
  type StepEnd,
} from './statuses';

/** Where a run stands, in memory. Pure: it starts nothing and records nothing. */
export interface RunState {
  /**
   * The steps that may start now, in the order they became ready; they count as running from here on. As many as
   * the limit of steps at the same time leaves room for.
   */
  takeReady(): readonly number[];
  /**
   * A running step has ended. Returns the steps that can never start because of it, now aborted. Touches only the
   * step's dependents, so a whole run costs time linear in its edges.
   */
  finish(index: number, end: StepEnd): readonly number[];
  /** The run is stopped: returns the steps that had not started, now aborted. Running ones still have to finish. */
  stop(): readonly number[];
  statusOf(index: number): NodeStatus;
  /** Whether every step has ended. */
  isFinished(): boolean;
  /** The state of the run that follows from its steps. */
  runOutcome(): RunStatus;
}

/** `maxActiveSteps` 0 is no limit. */
export function createRunState(plan: Plan, maxActiveSteps: number): RunState {
  return new IncrementalRunState(plan, maxActiveSteps === 0 ? Number.POSITIVE_INFINITY : maxActiveSteps);
}

class IncrementalRunState implements RunState {
  readonly #plan: Plan;
  readonly #limit: number;
  readonly #statuses: NodeStatus[];
  readonly #openDependencies: number[];
  readonly #ready: number[];
  #readyTaken = 0;
  #active = 0;
  #ended = 0;
  #fine = 0;
  #stopped = false;

  constructor(plan: Plan, limit: number) {
    this.#plan = plan;
    this.#limit = limit;
    this.#statuses = plan.steps.map(() => 'not_started');
    this.#openDependencies = [...plan.indegrees];
    this.#ready = [...plan.steps.keys()].filter((index) => plan.indegrees[index] === 0);
  }

  takeReady(): readonly number[] {
    const taken: number[] = [];
    while (this.#active < this.#limit) {
      const index = this.#ready[this.#readyTaken];
      if (index === undefined) break;
      this.#readyTaken += 1;
      // A step that was ready when the run was stopped stays in the list and is passed over here.
      if (!isUnstartedNode(this.statusOf(index))) continue;
      this.#move(index, 'running');
      taken.push(index);
    }
    return taken;
  }

  finish(index: number, end: StepEnd): readonly number[] {
    this.#move(index, end);
    if (dependencyGate(end) === 'abort') return this.#abortDownstream(index);
    for (const dependent of this.#dependentsOf(index)) {
      const left = (this.#openDependencies[dependent] ?? 0) - 1;
      this.#openDependencies[dependent] = left;
      if (left === 0 && isUnstartedNode(this.statusOf(dependent))) this.#ready.push(dependent);
    }
    return [];
  }

  stop(): readonly number[] {
    this.#stopped = true;
    const unstarted = [...this.#statuses.keys()].filter((index) => isUnstartedNode(this.statusOf(index)));
    for (const index of unstarted) this.#move(index, 'aborted');
    return unstarted;
  }

  statusOf(index: number): NodeStatus {
    const status = this.#statuses[index];
    if (status === undefined) throw stateMisused(`The run has no step ${index}.`);
    return status;
  }

  isFinished(): boolean {
    return this.#ended === this.#statuses.length;
  }

  runOutcome(): RunStatus {
    const allFine = this.#fine === this.#statuses.length;
    // First match wins.
    if (this.#stopped && !allFine) return 'aborted';
    if (!this.isFinished()) return 'running';
    return allFine ? 'succeeded' : 'failed';
  }

  #abortDownstream(index: number): readonly number[] {
    const aborted: number[] = [];
    const spread = [index];
    for (const current of spread) {
      for (const dependent of this.#dependentsOf(current)) {
        if (!isUnstartedNode(this.statusOf(dependent))) continue;
        this.#move(dependent, 'aborted');
        aborted.push(dependent);
        spread.push(dependent);
      }
    }
    return aborted;
  }

  #dependentsOf(index: number): readonly number[] {
    return this.#plan.dependents[index] ?? [];
  }

  #move(index: number, to: NodeStatus): void {
    const from = this.statusOf(index);
    if (!canMoveNode(from, to)) throw stateMisused(`Step ${index} cannot go from ${from} to ${to}.`);
    this.#statuses[index] = to;
    this.#active += Number(isActiveNode(to)) - Number(isActiveNode(from));
    this.#ended += Number(isTerminalNode(to)) - Number(isTerminalNode(from));
    this.#fine += Number(isFineNode(to)) - Number(isFineNode(from));
  }
}

function stateMisused(message: string): AppError {
  return new AppError('internal', message, { reason: 'run_state_misused' });
}
