import { fileEdges, type FileEdge } from './file-edges';
import { compact, type Part } from '../../model/compact';
import type { Step } from '../../model/step';
import type { DagType } from '../../model/dag';
import type { SourceLocation } from '../../source/findings/source-location';
import { reservedAgentNames } from '../../model/agent';
import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { readNonEmptyText } from '../../shapes/readers';
import { didYouMean } from '../../source/text/suggest';
import { report, type YamlValue } from '../../source/yaml/yaml-value';
import { findCycles } from './find-cycles';
import type { AuthoredStep } from './authored-step';
import { nameSteps, type NamedStep, type NamedSteps } from './name-steps';
import type { StepGroup } from './read-steps';
import { outputEdges } from './output-edges';
import { routeEdges, type RouteEdge } from './route-edges';
import { createStepLookup, type StepLookup } from '../scope/step-lookup';
import { createUpstream } from '../scope/upstream';

interface Dependency {
  readonly name: string;
  readonly location: SourceLocation;
}

export function resolveSteps(groups: readonly StepGroup[], type: DagType, whole: YamlValue): readonly Step[] {
  const named = nameSteps(groups.flat());
  const order = findOrder(type, groups, named, whole);
  const before = (index: number): Before => order[index] ?? { depends: [] };
  const upstream = createUpstream(named.steps.map(({ name }, index) => ({ name, ...before(index) })));
  return named.steps.map(({ step, name }, index) => {
    const lookup = createStepLookup(name, named.namesByReference, upstream);
    return toStep(step, { name, ...before(index), lookup });
  });
}

type Before = Pick<Step, 'depends' | 'inferred'>;

function findOrder(
  type: DagType,
  groups: readonly StepGroup[],
  named: NamedSteps,
  whole: YamlValue,
): readonly Before[] {
  if (type === 'chain') return chainOrder(groups, named, whole);
  if (type !== 'agent') return graphOrder(named, whole);
  reportDepends(named, type, whole);
  reportAgentNames(named);
  return [];
}

function reportAgentNames({ steps }: NamedSteps): void {
  for (const { step } of steps) {
    const taken = [step.name, step.id].find((field) => reservedAgentNames.has(field?.value ?? ''));
    if (taken?.value === undefined) continue;
    const message = `the name ${quote(taken.value)} is reserved in a DAG of type 'agent'`;
    step.source.context.report.add('invalid_step_name', taken.keyLocation, message);
  }
}

function reportDepends({ steps }: NamedSteps, type: DagType, whole: YamlValue): void {
  const message = `depends is not allowed in a DAG of type '${type}'`;
  for (const { step } of steps) {
    if (step.depends) whole.context.report.add('depends_not_allowed', step.depends.keyLocation, message);
  }
}

interface Resolved extends Pick<Step, 'name'>, Before {
  readonly lookup: StepLookup;
}

export function toStep(step: AuthoredStep, { name, depends, inferred, lookup }: Resolved): Step {
  const deferred = Object.assign({}, ...step.deferred.map((part) => part(lookup))) as Part<Step>;
  const resolved: Step = {
    name,
    ...compact({ id: step.id?.value }),
    depends,
    ...compact({ inferred }),
    env: [],
    ...step.parts,
    ...compact(deferred),
  };
  for (const { node, context } of [step.source, step.authored]) if (node) context.index.steps.set(node, resolved);
  return resolved;
}

function chainOrder(groups: readonly StepGroup[], named: NamedSteps, whole: YamlValue): readonly Before[] {
  const { steps } = named;
  reportDepends(named, 'chain', whole);
  const edges = groups.reduce((sum, group, index) => sum + group.length * (groups[index - 1]?.length ?? 0), 0);
  if (edges > limits.dependencies) return reportTooManyDependencies(whole);
  const order: Before[] = [];
  let before: readonly string[] = [];
  for (const group of groups) {
    const names = steps.slice(order.length, order.length + group.length).map((step) => step.name);
    const depends = before;
    order.push(...names.map(() => ({ depends })));
    before = names;
  }
  return order;
}

function graphOrder(named: NamedSteps, whole: YamlValue): readonly Before[] {
  const routes = routeEdges(named);
  const files = fileEdges(named.steps);
  const ordered = named.steps.map((step) =>
    withFiles(withRoute(findDependencies(step, named), routes.get(step.name)), files.get(step.name)),
  );
  const known = createUpstream(named.steps.map(({ name }, index) => ({ name, depends: toNames(ordered[index]) })));
  const reads = outputEdges(named.steps, known);
  const edges = ordered.map((found, index) => [...found, ...(reads[index] ?? [])]);
  if (edges.reduce((sum, found) => sum + found.length, 0) > limits.dependencies)
    return reportTooManyDependencies(whole);
  const graph = new Map<string, readonly Dependency[]>();
  named.steps.forEach(({ name }, index) => {
    if (!graph.has(name)) graph.set(name, edges[index] ?? []);
  });
  for (const cycle of findCycles(graph)) reportCycle(cycle, graph, whole);
  return edges.map((found, index) => ({ depends: toNames(found), ...toInferred(reads[index]) }));
}

function toNames(edges: readonly Dependency[] = []): readonly string[] {
  return edges.map(({ name }) => name);
}

function toInferred(edges: readonly Dependency[] = []): Pick<Step, 'inferred'> {
  return edges.length === 0 ? {} : { inferred: toNames(edges) };
}

function reportTooManyDependencies(whole: YamlValue): readonly Before[] {
  report(whole, 'too_many_dependencies', `a DAG may have ${limits.dependencies} dependencies at most`);
  return [];
}

function findDependencies(
  { step, name }: NamedStep,
  { namesByReference, namesOf1x }: NamedSteps,
): readonly Dependency[] {
  const found = new Map<string, Dependency>();
  for (const entry of step.depends?.value ?? []) {
    const written = readNonEmptyText(entry);
    if (written === undefined) continue;
    const wanted = written.trim();
    if (wanted !== written) reportUntrimmed(entry, wanted);
    const of1x = namesByReference.has(wanted) ? undefined : namesOf1x.get(wanted);
    if (of1x !== undefined) reportNameOf1x(entry, wanted, of1x);
    const target = of1x ?? namesByReference.get(wanted);
    const problem = findDependencyProblem(target, name, found);
    if (problem === 'unknown_dependency') {
      const near = entry.context.suggest(wanted, namesByReference.keys());
      const message = `step ${quote(name)} depends on non-existent step ${quote(wanted)}${didYouMean(near)}`;
      report(
        entry,
        problem,
        message,
        near === undefined ? undefined : { title: `Write ${quote(near)}`, text: quote(near) },
      );
    } else if (problem === 'self_dependency') report(entry, problem, `step ${quote(name)} depends on itself`);
    else if (problem) report(entry, problem, `step ${quote(name)} names the dependency ${quote(wanted)} twice`);
    else if (target !== undefined) found.set(target, { name: target, location: entry });
  }
  return [...found.values()];
}

function reportUntrimmed(entry: YamlValue, wanted: string): void {
  const message = `the dependency is read as ${quote(wanted)}, without the white space around it`;
  report(entry, 'untrimmed_dependency', message, { title: `Write ${quote(wanted)}`, text: quote(wanted) });
}

function reportNameOf1x(entry: YamlValue, wanted: string, name: string): void {
  const message = `${quote(wanted)} is the name that 1.x gave this step; write ${quote(name)}, or give the step an id`;
  report(entry, 'deprecated_value', message, { title: `Write ${quote(name)}`, text: name });
}

function withRoute(found: readonly Dependency[], route: RouteEdge | undefined): readonly Dependency[] {
  if (!route || found.some(({ name }) => name === route.router)) return found;
  return [...found, { name: route.router, location: route.location }];
}

function withFiles(found: readonly Dependency[], files: readonly FileEdge[] = []): readonly Dependency[] {
  return [...found, ...files.filter(({ name }) => !found.some((each) => each.name === name))];
}

function findDependencyProblem(target: string | undefined, self: string, found: ReadonlyMap<string, Dependency>) {
  if (target === undefined) return 'unknown_dependency';
  if (target === self) return 'self_dependency';
  return found.has(target) ? 'duplicate_dependency' : undefined;
}

const maxShownSteps = 12;

function reportCycle(
  cycle: readonly string[],
  graph: ReadonlyMap<string, readonly Dependency[]>,
  whole: YamlValue,
): void {
  const [first = '', second = first] = cycle;
  const location = graph.get(first)?.find(({ name }) => name === second)?.location ?? whole;
  const shown = cycle.length > maxShownSteps ? [...cycle.slice(0, maxShownSteps), '…', first] : [...cycle, first];
  whole.context.report.add(
    'dependency_cycle',
    location,
    `cyclic plan detected: ${shown.map((name) => (name === '…' ? name : quote(name))).join(' waits for ')}`,
  );
}
