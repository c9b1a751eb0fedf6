import { AppError } from '@weir/foundation';
import type { Plan } from '../../model/plan/plan';
import { countEnd, emptyTally, deriveRunStatus, type StatusTally, type StopReason } from './status-tally';
import type { StepSnapshot } from './step-snapshot';
import type { RunStatus } from '../../model/statuses/run-status';
import {
  nodeStatus,
  dependencyGate,
  type DependencyGate,
  type NodeEnd,
  type NodeStatus,
} from '../../model/statuses/node-status';

/** A step that can never start because of what happened to others. */
export interface BlockedStep {
  readonly index: number;
  readonly status: 'aborted' | 'skipped';
  /** Whether another route was chosen. */
  readonly isRouted?: true;
}

/** The statuses of the steps of a scope, in memory. Starts nothing and records nothing. */
export interface ScopeState {
  /**
   * The steps that may start now, in the order they became ready; they count as running from here on. As many as
   * the limit of active steps allows. Those with preconditions are only held: `start` or `finish`
   * reports the result of their check.
   */
  takeReady(atMost?: number): readonly number[];
  /** The preconditions of a held step hold: it runs. */
  start(index: number): void;
  /** The attempt of a running step is over, and another one follows later. */
  retryLater(index: number): void;
  /** The next attempt starts. */
  retryNow(index: number): void;
  /**
   * A running or held step has ended; with `continues` a failure stops none of its dependents. Returns the steps that
   * can never start because of it, now aborted or skipped. Touches only dependents, so a whole run costs time linear in
   * its edges.
   */
  finish(index: number, end: NodeEnd, continues?: boolean): readonly BlockedStep[];
  /** A running step waits for a person and does not count as active meanwhile. */
  wait(index: number): void;
  /** Steps that had not started are skipped, because another route was chosen. Returns them and those they block. */
  skip(indices: readonly number[]): readonly BlockedStep[];
  /**
   * The run is stopped: returns the steps that had not started and those that wait, now aborted. Running and held ones
   * still have to finish. The first reason stays.
   */
  stop(reason?: StopReason): readonly number[];
  getStatus(index: number): NodeStatus;
  /** Whether every step has ended, or nothing more can happen before a person has answered. */
  isFinished(): boolean;
  /** The steps that wait for people. */
  waitingSteps(): readonly number[];
  /** The state of the run that follows from its steps. */
  runStatus(): RunStatus;
}

/** The state of a scope that is resumed. */
export interface RestoredScope {
  readonly state: ScopeState;
  /** Steps that can never start because a person rejected a step that they depend on. */
  readonly blocked: readonly BlockedStep[];
}

/** `maxActiveSteps` 0 is no limit. */
export function createScopeState(plan: Plan, maxActiveSteps: number): ScopeState {
  return newState(plan, maxActiveSteps);
}

/** The state of a scope that is resumed, from the snapshots of its steps. */
export function restoreScopeState(
  plan: Plan,
  maxActiveSteps: number,
  snapshots: readonly StepSnapshot[],
): RestoredScope {
  const state = newState(plan, maxActiveSteps);
  return { state, blocked: state.restore(snapshots) };
}

function newState(plan: Plan, maxActiveSteps: number): IncrementalScopeState {
  return new IncrementalScopeState(plan, maxActiveSteps === 0 ? Number.POSITIVE_INFINITY : maxActiveSteps);
}

interface Gated {
  readonly index: number;
  readonly gate: DependencyGate;
}

class IncrementalScopeState implements ScopeState {
  readonly #plan: Plan;
  readonly #limit: number;
  readonly #statuses: NodeStatus[];
  readonly #openDependencies: number[];
  #ready: number[];
  /** Steps whose preconditions are being checked. */
  readonly #held = new Set<number>();
  #readyTaken = 0;
  #busy = 0;
  #waiting = 0;
  #tally: StatusTally;
  #stop: StopReason | undefined;

  constructor(plan: Plan, limit: number) {
    this.#plan = plan;
    this.#limit = limit;
    this.#statuses = plan.steps.map(() => 'not_started');
    this.#openDependencies = [...plan.indegrees];
    this.#ready = [...plan.steps.keys()].filter((index) => plan.indegrees[index] === 0);
    this.#tally = emptyTally(plan.steps.length);
  }

  takeReady(atMost = Number.POSITIVE_INFINITY): readonly number[] {
    const ready: number[] = [];
    while (ready.length < atMost && this.#busy + this.#held.size < this.#limit) {
      const index = this.#ready[this.#readyTaken];
      if (index === undefined) break;
      this.#readyTaken += 1;
      // A step that was ready when the run was stopped stays in the list and is passed over here.
      if (!nodeStatus.isUnstarted(this.getStatus(index))) continue;
      if (hasPreconditions(this.#plan, index)) this.#held.add(index);
      else this.#move(index, 'running');
      ready.push(index);
    }
    return ready;
  }

  start(index: number): void {
    this.#held.delete(index);
    this.#move(index, 'running');
  }

  retryLater(index: number): void {
    this.#move(index, 'retrying');
  }

  retryNow(index: number): void {
    this.#move(index, 'running');
  }

  finish(index: number, end: NodeEnd, continues = false): readonly BlockedStep[] {
    if (nodeStatus.isUnstarted(this.getStatus(index)) && !this.#held.has(index)) {
      throw stateMisused(`Step ${index} ended without having started.`);
    }
    this.#held.delete(index);
    this.#end(index, end, continues);
    return this.#spread([{ index, gate: this.#findGate(index, end, continues) }]);
  }

  wait(index: number): void {
    this.#move(index, 'waiting');
  }

  skip(indices: readonly number[]): readonly BlockedStep[] {
    const skipped = indices.filter((index) => nodeStatus.isUnstarted(this.getStatus(index)));
    for (const index of skipped) this.#end(index, 'skipped', false);
    const gates = skipped.map((index) => ({ index, gate: this.#findGate(index, 'skipped', false) }));
    const blocked = this.#spread(gates);
    return [...skipped.map((index): BlockedStep => ({ index, status: 'skipped', isRouted: true })), ...blocked];
  }

  /** A step that had not started may start: whatever blocks a step ends it in the same tick. */
  restore(snapshots: readonly StepSnapshot[]): readonly BlockedStep[] {
    for (const [index, { status, continues }] of snapshots.entries()) {
      if (nodeStatus.isTerminal(status)) {
        this.#statuses[index] = status;
        this.#tally = countEnd(this.#tally, status, continues);
      } else if (nodeStatus.isWaiting(status)) {
        this.#statuses[index] = status;
        this.#waiting += 1;
      }
    }
    this.#ready = [];
    const rejected: Gated[] = [];
    for (const [index, { status }] of snapshots.entries()) {
      if (nodeStatus.isRejected(status)) rejected.push({ index, gate: 'abort' });
      else if (nodeStatus.isTerminal(status)) this.#closeDependents(index);
      else if (nodeStatus.isUnstarted(this.getStatus(index)) && this.#plan.indegrees[index] === 0)
        this.#ready.push(index);
    }
    return this.#spread(rejected);
  }

  stop(reason: StopReason = 'stopped'): readonly number[] {
    this.#stop ??= reason;
    const open = [...this.#statuses.keys()].filter((index) => {
      const status = this.getStatus(index);
      return (nodeStatus.isUnstarted(status) && !this.#held.has(index)) || nodeStatus.isWaiting(status);
    });
    for (const index of open) this.#end(index, 'aborted', false);
    return open;
  }

  getStatus(index: number): NodeStatus {
    const status = this.#statuses[index];
    if (status === undefined) throw stateMisused(`The run has no step ${index}.`);
    return status;
  }

  isFinished(): boolean {
    return this.#tally.ended === this.#tally.nodes || this.#isWaiting();
  }

  runStatus(): RunStatus {
    return deriveRunStatus(this.#tally, this.#stop, this.#isWaiting());
  }

  waitingSteps(): readonly number[] {
    if (this.#waiting === 0) return [];
    return [...this.#statuses.keys()].filter((index) => nodeStatus.isWaiting(this.getStatus(index)));
  }

  #isWaiting(): boolean {
    if (this.#waiting === 0 || this.#busy > 0 || this.#held.size > 0) return false;
    return !this.#ready.slice(this.#readyTaken).some((index) => nodeStatus.isUnstarted(this.getStatus(index)));
  }

  /** The list grows while it is walked. */
  #spread(gates: Gated[]): readonly BlockedStep[] {
    const blocked: BlockedStep[] = [];
    for (const from of gates) {
      if (from.gate === 'open') {
        this.#closeDependents(from.index);
        continue;
      }
      const status = from.gate === 'skip' ? 'skipped' : 'aborted';
      for (const dependent of this.#plan.dependents[from.index] ?? []) {
        if (!nodeStatus.isUnstarted(this.getStatus(dependent))) continue;
        this.#end(dependent, status, false);
        blocked.push({ index: dependent, status });
        gates.push({ index: dependent, gate: this.#findGate(dependent, status, false) });
      }
    }
    return blocked;
  }

  #closeDependents(index: number): void {
    for (const dependent of this.#plan.dependents[index] ?? []) this.#closeDependency(dependent);
  }

  #findGate(index: number, end: NodeEnd, continues: boolean) {
    const continuesOnSkip = this.#plan.steps[index]?.continueOn?.skipped ?? false;
    return dependencyGate(end, { onFailure: continues, onSkip: continuesOnSkip });
  }

  #closeDependency(dependent: number): void {
    const remaining = (this.#openDependencies[dependent] ?? 0) - 1;
    this.#openDependencies[dependent] = remaining;
    if (remaining === 0 && nodeStatus.isUnstarted(this.getStatus(dependent))) this.#ready.push(dependent);
  }

  #end(index: number, end: NodeEnd, continues: boolean): void {
    this.#move(index, end);
    this.#tally = countEnd(this.#tally, end, continues);
  }

  #move(index: number, to: NodeStatus): void {
    const from = this.getStatus(index);
    if (!nodeStatus.canMove(from, to)) throw stateMisused(`Step ${index} cannot go from ${from} to ${to}.`);
    this.#statuses[index] = to;
    this.#busy += Number(nodeStatus.isBusy(to)) - Number(nodeStatus.isBusy(from));
    this.#waiting += Number(nodeStatus.isWaiting(to)) - Number(nodeStatus.isWaiting(from));
  }
}

export function hasPreconditions({ steps }: Plan, index: number): boolean {
  return (steps[index]?.preconditions ?? []).length > 0;
}

function stateMisused(message: string): AppError {
  return new AppError('internal', message, { reason: 'run_state_misused' });
}
