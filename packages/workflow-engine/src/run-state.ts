import { AppError } from '@weir/errors';
import type { Plan } from './plan';
import { countEnd, newTally, runOutcomeOf, type RunTally, type StopReason } from './run-tally';
import {
  canMoveNode,
  dependencyGate,
  isActiveNode,
  isUnstartedNode,
  type NodeEnd,
  type NodeStatus,
  type RunStatus,
} from './statuses';

/** A step that can never start because of what happened to others. */
export interface BlockedStep {
  readonly index: number;
  readonly status: 'aborted' | 'skipped';
}

/** Where a run stands, in memory. Pure: it starts nothing and records nothing. */
export interface RunState {
  /**
   * The steps that may start now, in the order they became ready; they count as running from here on. As many as
   * the limit of steps at the same time leaves room for. Those with preconditions are only held: `begin` or `finish`
   * says how those came out.
   */
  takeReady(atMost?: number): readonly number[];
  /** The preconditions of a held step hold: it runs. */
  begin(index: number): void;
  /** The attempt of a running step is over, and another one follows later. */
  retryLater(index: number): void;
  /** The next attempt begins. */
  retryNow(index: number): void;
  /**
   * A running or held step has ended; with `continues` a failure stops none of its dependents. Returns the steps that
   * can never start because of it, now aborted or skipped. Touches only dependents, so a whole run costs time linear in
   * its edges.
   */
  finish(index: number, end: NodeEnd, continues?: boolean): readonly BlockedStep[];
  /**
   * The run is stopped: returns the steps that had not started, now aborted. Running and held ones still have to
   * finish. The first reason stays.
   */
  stop(reason?: StopReason): readonly number[];
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
  /** Steps whose preconditions are being looked at. */
  readonly #held = new Set<number>();
  #readyTaken = 0;
  #active = 0;
  #tally: RunTally;
  #stop: StopReason | undefined;

  constructor(plan: Plan, limit: number) {
    this.#plan = plan;
    this.#limit = limit;
    this.#statuses = plan.steps.map(() => 'not_started');
    this.#openDependencies = [...plan.indegrees];
    this.#ready = [...plan.steps.keys()].filter((index) => plan.indegrees[index] === 0);
    this.#tally = newTally(plan.steps.length);
  }

  takeReady(atMost = Number.POSITIVE_INFINITY): readonly number[] {
    const taken: number[] = [];
    while (taken.length < atMost && this.#active + this.#held.size < this.#limit) {
      const index = this.#ready[this.#readyTaken];
      if (index === undefined) break;
      this.#readyTaken += 1;
      // A step that was ready when the run was stopped stays in the list and is passed over here.
      if (!isUnstartedNode(this.statusOf(index))) continue;
      if (isGuarded(this.#plan, index)) this.#held.add(index);
      else this.#move(index, 'running');
      taken.push(index);
    }
    return taken;
  }

  begin(index: number): void {
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
    if (isUnstartedNode(this.statusOf(index)) && !this.#held.has(index)) {
      throw stateMisused(`Step ${index} ended without having begun.`);
    }
    this.#held.delete(index);
    this.#end(index, end, continues);
    const blocked: BlockedStep[] = [];
    // The list grows while it is walked.
    const spread = [{ index, gate: this.#gateOf(index, end, continues) }];
    for (const from of spread) {
      for (const dependent of this.#plan.dependents[from.index] ?? []) {
        if (from.gate === 'open') this.#closeDependency(dependent);
        else if (isUnstartedNode(this.statusOf(dependent))) {
          const status = from.gate === 'skip' ? 'skipped' : 'aborted';
          this.#end(dependent, status, false);
          blocked.push({ index: dependent, status });
          spread.push({ index: dependent, gate: this.#gateOf(dependent, status, false) });
        }
      }
    }
    return blocked;
  }

  stop(reason: StopReason = 'stopped'): readonly number[] {
    this.#stop ??= reason;
    const unstarted = [...this.#statuses.keys()].filter(
      (index) => isUnstartedNode(this.statusOf(index)) && !this.#held.has(index),
    );
    for (const index of unstarted) this.#end(index, 'aborted', false);
    return unstarted;
  }

  statusOf(index: number): NodeStatus {
    const status = this.#statuses[index];
    if (status === undefined) throw stateMisused(`The run has no step ${index}.`);
    return status;
  }

  isFinished(): boolean {
    return this.#tally.ended === this.#tally.nodes;
  }

  runOutcome(): RunStatus {
    return runOutcomeOf(this.#tally, this.#stop);
  }

  #gateOf(index: number, end: NodeEnd, continues: boolean) {
    const continuesOnSkip = this.#plan.steps[index]?.continueOn?.skipped ?? false;
    return dependencyGate(end, { onFailure: continues, onSkip: continuesOnSkip });
  }

  #closeDependency(dependent: number): void {
    const left = (this.#openDependencies[dependent] ?? 0) - 1;
    this.#openDependencies[dependent] = left;
    if (left === 0 && isUnstartedNode(this.statusOf(dependent))) this.#ready.push(dependent);
  }

  #end(index: number, end: NodeEnd, continues: boolean): void {
    this.#move(index, end);
    this.#tally = countEnd(this.#tally, end, continues);
  }

  #move(index: number, to: NodeStatus): void {
    const from = this.statusOf(index);
    if (!canMoveNode(from, to)) throw stateMisused(`Step ${index} cannot go from ${from} to ${to}.`);
    this.#statuses[index] = to;
    this.#active += Number(isActiveNode(to)) - Number(isActiveNode(from));
  }
}

/** Whether something is looked at before the step begins. */
export function isGuarded({ steps }: Plan, index: number): boolean {
  return (steps[index]?.preconditions ?? []).length > 0;
}

function stateMisused(message: string): AppError {
  return new AppError('internal', message, { reason: 'run_state_misused' });
}
