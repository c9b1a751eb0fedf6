import type { Node } from '../../../parts/run/run-data';

/** The selection of the steps to execute. */
export type RerunScope = 'failed' | 'from-step' | 'only-step' | 'all';

export interface RerunChoice {
  readonly scope: RerunScope;
  /** The step, for the scopes with one. */
  readonly step: string;
}

/** The plan for each step. */
export interface RerunPlan {
  readonly runs: readonly string[];
  readonly reused: readonly string[];
  /** Steps that have to run although they were not selected, with the reason. */
  readonly forced: readonly { readonly name: string; readonly reason: string }[];
}

const passed: ReadonlySet<Node['statusLabel']> = new Set(['succeeded', 'partially_succeeded', 'skipped']);

/** Plans which steps a retry of the run itself executes, with its own spec, by the rules of the server. */
export function planRetry(nodes: readonly Node[], { scope, step }: RerunChoice): RerunPlan {
  const names = nodes.map((node) => node.step.name);
  const chosen = chooseSteps(nodes, { scope, step });
  return {
    runs: names.filter((name) => chosen.has(name)),
    reused: names.filter((name) => !chosen.has(name)),
    forced: [],
  };
}

function chooseSteps(nodes: readonly Node[], { scope, step }: RerunChoice): ReadonlySet<string> {
  if (scope === 'all') return new Set(nodes.map((node) => node.step.name));
  if (scope === 'only-step') return new Set([step]);
  const failed = nodes.filter(({ statusLabel }) => !passed.has(statusLabel)).map((node) => node.step.name);
  const starts = scope === 'from-step' ? [step] : failed;
  const excluded = new Set<string>();
  for (;;) {
    const chosen = withDependents(nodes, starts, excluded);
    const unrouted = findUnrouted(nodes, chosen).filter((name) => !starts.includes(name));
    if (unrouted.length === 0) return chosen;
    // A router that keeps its choice has chosen other steps.
    for (const name of unrouted) excluded.add(name);
  }
}

/** Returns the steps with all their direct and indirect dependents. */
export function withDependents(
  nodes: readonly Pick<Node, 'step'>[],
  starts: readonly string[],
  excluded: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const chosen = new Set(starts);
  // The set grows during the loop.
  for (const name of chosen) {
    for (const { step } of nodes) {
      if (step.depends?.includes(name) === true && !excluded.has(step.name)) chosen.add(step.name);
    }
  }
  return chosen;
}

function findUnrouted(nodes: readonly Node[], chosen: ReadonlySet<string>): readonly string[] {
  return nodes
    .filter(({ step }) => step.executorConfig?.type === 'router.route' && !chosen.has(step.name))
    .flatMap(({ step }): readonly unknown[] => Object.values(step.executorConfig?.config?.routes ?? {}).flat())
    .flatMap((target) => nodes.filter(({ step }) => step.name === target || step.id === target))
    .filter(({ step, statusLabel }) => statusLabel === 'skipped' && chosen.has(step.name))
    .map(({ step }) => step.name);
}

/** The server's answer about a retry with another spec. */
export interface SpecPreview {
  readonly skippedSteps: readonly string[];
  readonly steps: readonly Node['step'][];
  readonly ineligibleSteps: readonly { readonly stepName: string; readonly reason: string }[];
}

/** Returns the steps that a retry with another spec keeps. */
export function keptSteps(preview: SpecPreview, { scope, step }: RerunChoice): readonly string[] {
  if (scope === 'all') return [];
  if (scope === 'failed') return preview.skippedSteps;
  const ineligible = new Set(preview.ineligibleSteps.map(({ stepName }) => stepName));
  const nodes = preview.steps.map((each) => ({ step: each }));
  const chosen = withDependents(nodes, [step]);
  return preview.steps.map(({ name }) => name).filter((name) => !ineligible.has(name) && !chosen.has(name));
}

export function planWithSpec(preview: SpecPreview, choice: RerunChoice): RerunPlan {
  const kept = new Set(keptSteps(preview, choice));
  const reasons = new Map(preview.ineligibleSteps.map(({ stepName, reason }) => [stepName, reason]));
  const names = preview.steps.map(({ name }) => name);
  return {
    runs: names.filter((name) => !kept.has(name) && !reasons.has(name)),
    reused: names.filter((name) => kept.has(name)),
    forced: names.flatMap((name) => {
      const reason = reasons.get(name);
      return reason === undefined ? [] : [{ name, reason }];
    }),
  };
}
