import { createHash } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { Step } from '@weir/workflow-spec';
import { errorCode } from '../../host/files/error-code';
import type { ExecuteStep, RunContext } from '../context/run-context';
import type { StepExecution } from '../../scope/loop/step-execution';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { nodeStatus } from '../../model/statuses/node-status';
import type { BuildCache, BuildRecord, BuiltFile } from '../context/build-cache';
import type { BuildDecision } from '../../model/run-model/build-decision';
import { placeFiles, type PlacedFile, type StepFiles } from './build-files';
import { readBuiltFile } from './hash-file';
import { readCommand } from './read-command';
import { fingerprint, sessionEnvironment } from './recipe';

/**
 * Executes a step of a build unless its files are what the same recipe made before. The step writes beside its targets,
 * and what it wrote is moved there once it has succeeded.
 */
export async function executeBuildStep(
  context: RunContext,
  execution: StepExecution,
  execute: ExecuteStep,
): Promise<StepOutcome> {
  const { buildCache: cache } = context.ports;
  if (cache === undefined) throw new AppError('internal', 'A build has no cache.');
  const files = placeFiles(context, execution.step);
  const places = files.targets.map((target) => target.path);
  const work = { context, execution, execute, cache, files };
  return cache.hold(places, execution.signal, () => makeTargets(work));
}

interface BuildWork {
  readonly context: RunContext;
  readonly execution: StepExecution;
  readonly execute: ExecuteStep;
  readonly cache: BuildCache;
  readonly files: StepFiles;
}

async function makeTargets(work: BuildWork): Promise<StepOutcome> {
  const { context, execution, files, cache } = work;
  const inputs = await readInputs(work);
  const print = isReusable(execution.step) ? toFingerprint(work, inputs) : undefined;
  const record = print === undefined || context.run.rebuild ? undefined : await cache.find(print);
  const reused = record === undefined ? undefined : await reuse(work, record);
  if (reused !== undefined) return { status: 'succeeded', build: reused, ...publish(files) };
  const stages = files.targets.map(toStage);
  try {
    await openStages(stages);
    const staged = files.targets.map(({ name }, index) => ({ name, path: getStage(stages, index).file }));
    const outcome = await work.execute(context, withFiles(execution, { ...files, targets: staged }));
    if (!nodeStatus.isSuccessful(outcome.status)) return { ...outcome, build: 'executed' };
    const built = await readStages(work, stages);
    if (typeof built === 'string') return { ...outcome, status: 'failed', error: built, build: 'executed' };
    if (print !== undefined) await remember(work, { print, inputs, built, stages });
    for (const [index, target] of files.targets.entries()) await moveInPlace(getStage(stages, index), target);
    return { ...outcome, build: 'executed', ...publish(files, outcome) };
  } finally {
    for (const { folder } of stages) await rm(folder, { recursive: true, force: true });
  }
}

/** Whether everything that the step leaves behind are its targets. */
function isReusable(step: Step): boolean {
  const others = [
    step.output,
    step.outputs,
    step.outputSchema,
    step.stdout,
    step.stderr,
    step.repeatPolicy,
    step.approval,
  ];
  return step.targets !== undefined && others.every((each) => each === undefined);
}

type ReadInput = PlacedFile & Pick<BuiltFile, 'sha256'>;

function readInputs({ files, execution }: BuildWork): Promise<readonly ReadInput[]> {
  return Promise.all(
    files.inputs.map(async (input) => {
      const found = await readFile(`input "${input.name}"`, () => readBuiltFile(input.path, execution.signal));
      if (found === undefined) throw buildFailed(`The input "${input.name}" is not there, or is no file.`);
      return { ...input, sha256: found.sha256 };
    }),
  );
}

function toFingerprint({ context, execution, files }: BuildWork, inputs: readonly ReadInput[]): string {
  // With the places of the targets, because those that the command is given differ each time.
  const command = readCommand(context, withFiles(execution, files));
  const options = { host: sessionEnvironment(context.ports), masker: context.values.masker };
  return fingerprint({ command, inputs, targets: files.targets }, options);
}

function withFiles(execution: StepExecution, { inputs, targets }: StepFiles): StepExecution {
  const byName = (files: readonly PlacedFile[]) => new Map(files.map(({ name, path: place }) => [name, place]));
  const files = { inputs: byName(inputs), outputs: byName(targets) };
  return { ...execution, values: { ...execution.values, scope: { ...execution.values.scope, files } } };
}

/** Undefined when the targets are not what they should be and cannot be restored. */
async function reuse({ files, execution, cache }: BuildWork, record: BuildRecord): Promise<BuildDecision | undefined> {
  const { signal } = execution;
  const outdated: (readonly [PlacedFile, BuiltFile])[] = [];
  for (const target of files.targets) {
    const wanted = record[target.name];
    if (wanted === undefined) return undefined;
    const found = await readFile(`output "${target.name}"`, () => readBuiltFile(target.path, signal));
    if (found?.sha256 !== wanted.sha256 || found.mode !== wanted.mode) outdated.push([target, wanted]);
  }
  if (outdated.length === 0) return 'up_to_date';
  const stages = outdated.map(([target]) => toStage(target));
  try {
    await openStages(stages);
    for (const [index, [, wanted]] of outdated.entries()) {
      if (!(await cache.restore(wanted, getStage(stages, index).file, signal))) return undefined;
    }
    for (const [index, [target]] of outdated.entries()) await moveInPlace(getStage(stages, index), target);
    return 'restored';
  } finally {
    for (const { folder } of stages) await rm(folder, { recursive: true, force: true });
  }
}

/** Where a target is written before it is moved to its place, in the same file system and under the same name. */
interface Stage {
  readonly folder: string;
  readonly file: string;
}

function toStage(target: PlacedFile): Stage {
  // The name is always the same, so that what a crash left is found and removed.
  const id = createHash('sha256').update(target.path).digest('hex').slice(0, 16);
  const folder = path.join(path.dirname(target.path), `.weir-build-${id}`);
  return { folder, file: path.join(folder, path.basename(target.path)) };
}

function getStage(stages: readonly Stage[], index: number): Stage {
  const stage = stages[index];
  if (stage === undefined) throw new AppError('internal', 'A target has no stage.');
  return stage;
}

async function openStages(stages: readonly Stage[]): Promise<void> {
  for (const { folder } of stages) {
    await readFile('folder of an output', async () => {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
    });
  }
}

/** What the step wrote, or why that is not what it should have written. */
async function readStages(
  { files, execution, context }: BuildWork,
  stages: readonly Stage[],
): Promise<ReadonlyMap<string, BuiltFile> | string> {
  const built = new Map<string, BuiltFile>();
  for (const [index, { name }] of files.targets.entries()) {
    const { file } = getStage(stages, index);
    context.values.enclosure?.assertOpen(file);
    const found = await readFile(`output "${name}"`, () =>
      readBuiltFile(file, execution.signal, { isLinkFollowed: false }),
    );
    if (found === undefined) return `The step has not written the file \${outputs.${name}}.`;
    built.set(name, found);
  }
  return built;
}

interface Built {
  readonly print: string;
  readonly inputs: readonly ReadInput[];
  readonly built: ReadonlyMap<string, BuiltFile>;
  readonly stages: readonly Stage[];
}

/** Stores what the step made, unless an input has changed meanwhile: nobody knows which of both it has read. */
async function remember(work: BuildWork, { print, inputs, built, stages }: Built): Promise<void> {
  const { cache, context, files } = work;
  const after = await readInputs(work);
  if (after.some(({ sha256 }, index) => sha256 !== inputs[index]?.sha256)) return;
  const stored = files.targets.flatMap(({ name }, index) => {
    const file = built.get(name);
    return file === undefined ? [] : [[name, { ...file, path: getStage(stages, index).file }] as const];
  });
  try {
    await cache.store(print, Object.fromEntries(stored));
  } catch (error) {
    // The files are made all the same; only the next run has to make them again.
    context.ports.logger.warn({ dagName: context.run.dagName, err: error }, 'files of a build were not cached');
  }
}

async function moveInPlace({ file }: Stage, target: PlacedFile): Promise<void> {
  await readFile(`output "${target.name}"`, () => rename(file, target.path));
}

function publish({ targets }: StepFiles, outcome?: StepOutcome): Pick<StepOutcome, 'outputs'> {
  if (targets.length === 0) return {};
  const { fields = [], declared = [], ...rest } = outcome?.outputs ?? {};
  const own = targets.map(({ name, path: value }) => ({ name, value }));
  return { outputs: { ...rest, fields, declared: [...declared, ...own] } };
}

async function readFile<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || code === 'ABORT_ERR') throw error;
    throw buildFailed(`The ${what} cannot be used (${code}).`, error);
  }
}

function buildFailed(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { reason: 'build_failed', cause });
}
