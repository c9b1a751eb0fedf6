import { compact } from '../compact';
import type { DagType, Step } from '../dag';
import type { Spot } from '../finding-report';
import { limits } from '../limits';
import { quote } from '../quote';
import { readFilledText } from '../read/readers';
import { report, type YamlValue } from '../yaml/yaml-value';
import { findCycles } from './find-cycles';
import { nameSteps, type NamedStep, type NamedSteps } from './name-steps';
import type { StepGroup } from './read-steps';

/** An edge of the graph: the step it leads to, and where it is written. */
interface Dependency {
  readonly name: string;
  readonly spot: Spot;
}

/** The steps with their final names and what each waits for. */
export function resolveSteps(groups: readonly StepGroup[], type: DagType, whole: YamlValue): readonly Step[] {
  const named = nameSteps(groups.flat());
  const depends = type === 'chain' ? chainOrder(groups, named, whole) : graphOrder(named, whole);
  return named.steps.map((step, index) => toStep(step, depends[index] ?? []));
}

function toStep({ step, name }: NamedStep, depends: readonly string[]): Step {
  return compact({
    name,
    id: step.id?.value,
    description: step.description,
    run: step.run,
    depends,
    env: step.env,
    workingDir: step.workingDir,
    shell: step.shell,
  });
}

function chainOrder(
  groups: readonly StepGroup[],
  { steps }: NamedSteps,
  whole: YamlValue,
): readonly (readonly string[])[] {
  for (const { step } of steps) {
    const message = "depends is not allowed in a DAG of type 'chain'";
    if (step.depends) whole.context.report.add('depends_not_allowed', step.depends.key, message);
  }
  const edges = groups.reduce((sum, group, index) => sum + group.length * (groups[index - 1]?.length ?? 0), 0);
  if (edges > limits.dependencies) return tooMany(whole);
  const order: (readonly string[])[] = [];
  let before: readonly string[] = [];
  for (const group of groups) {
    const names = steps.slice(order.length, order.length + group.length).map((step) => step.name);
    order.push(...names.map(() => before));
    before = names;
  }
  return order;
}

function graphOrder(named: NamedSteps, whole: YamlValue): readonly (readonly string[])[] {
  const edges = named.steps.map((step) => lookUp(step, named.handles));
  if (edges.reduce((sum, found) => sum + found.length, 0) > limits.dependencies) return tooMany(whole);
  const graph = new Map<string, readonly Dependency[]>();
  named.steps.forEach(({ name }, index) => {
    if (!graph.has(name)) graph.set(name, edges[index] ?? []);
  });
  for (const cycle of findCycles(graph)) reportCycle(cycle, graph, whole);
  return edges.map((found) => found.map(({ name }) => name));
}

function tooMany(whole: YamlValue): readonly (readonly string[])[] {
  report(whole, 'too_many_dependencies', `a DAG may have ${limits.dependencies} dependencies at most`);
  return [];
}

function lookUp({ step, name }: NamedStep, handles: ReadonlyMap<string, string>): readonly Dependency[] {
  const found = new Map<string, Dependency>();
  for (const entry of step.depends?.value ?? []) {
    const wanted = readFilledText(entry)?.trim();
    if (wanted === undefined) continue;
    const target = handles.get(wanted);
    const problem = dependencyProblem(target, name, found);
    if (problem === 'unknown_dependency') {
      const suggestion = entry.context.suggest(wanted, handles.keys());
      report(entry, problem, `step ${quote(name)} depends on non-existent step ${quote(wanted)}${suggestion}`);
    } else if (problem === 'self_dependency') report(entry, problem, `step ${quote(name)} depends on itself`);
    else if (problem) report(entry, problem, `step ${quote(name)} names the dependency ${quote(wanted)} twice`);
    else if (target !== undefined) found.set(target, { name: target, spot: entry });
  }
  return [...found.values()];
}

function dependencyProblem(target: string | undefined, self: string, found: ReadonlyMap<string, Dependency>) {
  if (target === undefined) return 'unknown_dependency';
  if (target === self) return 'self_dependency';
  return found.has(target) ? 'duplicate_dependency' : undefined;
}

const shownSteps = 12;

function reportCycle(
  cycle: readonly string[],
  graph: ReadonlyMap<string, readonly Dependency[]>,
  whole: YamlValue,
): void {
  const [first = '', second = first] = cycle;
  const spot = graph.get(first)?.find(({ name }) => name === second)?.spot ?? whole;
  const shown = cycle.length > shownSteps ? [...cycle.slice(0, shownSteps), '…', first] : [...cycle, first];
  whole.context.report.add(
    'dependency_cycle',
    spot,
    `cyclic plan detected: ${shown.map((name) => (name === '…' ? name : quote(name))).join(' waits for ')}`,
  );
}
