import path from 'node:path';
import { asObject } from '@weir/foundation';
import { findLocalDag, type Dag, type JsonValue, type ParseResult, type Step } from '@weir/workflow-spec';
import type { DagRun, RunStore } from '@weir/workflow-engine/model';
import type { DagParser } from '../../../dag-parser';

type SpecOfRun = Pick<DagRun, 'specText' | 'specHash' | 'dagName' | 'fileName' | 'baseTexts' | 'depth'>;

/** Parses the spec of a run; of a child run the DAG may be another one of the same text. */
export async function parseStored(parser: DagParser, run: SpecOfRun): Promise<ParseResult> {
  const { specText, specHash, dagName, baseTexts, depth } = run;
  const bases = baseTexts.map((text) => ({ label: 'of the run', text }));
  // The name that the file was parsed with before the run started, so that the parser finds that result in its cache.
  const result = await parser.parse(specText, { name: fileStem(run), bases, textHash: specHash });
  const local = depth > 0 ? findLocalDag(result.localDags, dagName) : undefined;
  const isNamed = local !== undefined || result.dag.name === dagName;
  const named = { name: dagName, overrideName: true, bases, textHash: specHash };
  const found = isNamed ? result : await parser.parse(specText, named);
  return depth > 0 ? { ...found, dag: withoutInherited(local ?? found.dag) } : found;
}

/** The DAG of a run. Its human tasks ask what was stored when they were opened, with references replaced. */
export async function readStoredDag(
  { parser, runs }: { readonly parser: DagParser; readonly runs: Pick<RunStore, 'readMemos'> },
  run: DagRun,
): Promise<Dag> {
  const { dag } = await parseStored(parser, run);
  if (!dag.steps.some(isHumanTask)) return dag;
  const memos = await runs.readMemos(run.id);
  return { ...dag, steps: dag.steps.map((step, position) => withOpenedTask(step, memos.get(position))) };
}

export function isHumanTask({ run }: Step): boolean {
  return run.kind === 'action' && run.action === 'human.task';
}

function withOpenedTask(step: Step, memo: JsonValue | undefined): Step {
  if (step.run.kind !== 'action' || !isHumanTask(step)) return step;
  const task = asObject(asObject(memo)?.task);
  return task === undefined ? step : { ...step, run: { ...step.run, with: task } };
}

/** The name of the first DAG of the file when it has none of its own. */
function fileStem({ fileName, dagName }: SpecOfRun): string {
  return fileName === null ? dagName : path.basename(fileName).replace(/\.ya?ml$/, '');
}

/** The handlers of a base configuration are executed once, by the root run. */
function withoutInherited(dag: Dag): Dag {
  const { handlers = {}, inheritedHandlers = [] } = dag;
  if (inheritedHandlers.length === 0) return dag;
  const own = Object.entries(handlers).filter(([kind]) => !(inheritedHandlers as readonly string[]).includes(kind));
  return { ...dag, handlers: Object.fromEntries(own) };
}
