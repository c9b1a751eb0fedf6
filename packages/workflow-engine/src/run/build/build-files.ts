import path from 'node:path';
import { AppError } from '@weir/foundation';
import { type BuildFile, type Step } from '@weir/workflow-spec';
import { realPath } from '../../host/files/real-path';
import type { RunContext } from '../context/run-context';
import { resolveFolder, type RunValues } from '../../values/run-values/run-values';

/** A file of a step with its place on this host. */
export interface PlacedFile {
  readonly name: string;
  /** Absolute, without links as far as it exists. */
  readonly path: string;
}

export interface StepFiles {
  readonly inputs: readonly PlacedFile[];
  readonly targets: readonly PlacedFile[];
}

/** Whether the step has files of a build. */
export function isBuildStep({ inputs, targets }: Step): boolean {
  return inputs !== undefined || targets !== undefined;
}

/**
 * The files of a step. Throws `invalid_request` for a path that has no value, for a file that another step makes, too,
 * and for an input that a step makes which does not execute before. Throws `path_closed`.
 */
export function placeFiles({ dag, values }: Pick<RunContext, 'dag' | 'values'>, step: Step): StepFiles {
  const files = placeOf(step, values);
  for (const other of dag.steps) {
    if (other.name === step.name || other.targets === undefined) continue;
    const made = new Set(placeOf(other, values).targets.map((target) => target.path));
    const twice = files.targets.find((target) => made.has(target.path));
    if (twice !== undefined) throw misplaced(`The step "${other.name}" also makes the output "${twice.name}".`);
    const input = files.inputs.find((each) => made.has(each.path));
    if (input !== undefined && !isUpstream(dag.steps, step, other.name)) {
      throw misplaced(`The step "${other.name}" makes the input "${input.name}" and must be named in depends.`);
    }
  }
  for (const each of [...files.inputs, ...files.targets]) values.enclosure?.assertOpen(each.path);
  return files;
}

function placeOf({ workingDir, inputs = [], targets = [] }: Step, values: RunValues): StepFiles {
  const folder = workingDir === undefined ? values.folder : place(values.folder, workingDir, values, 'working_dir');
  const toPlaced = ({ name, path: text }: BuildFile): PlacedFile => ({ name, path: place(folder, text, values, name) });
  return { inputs: inputs.map(toPlaced), targets: targets.map(toPlaced) };
}

function place(folder: string, text: string, { scope }: RunValues, name: string): string {
  const unknown: string[] = [];
  const resolved = resolveFolder(folder, text, { ...scope, unresolved: (reference) => unknown.push(reference) });
  if (unknown.length > 0) throw misplaced(`The path of "${name}" holds a reference without a value.`);
  return path.join(realPath(path.dirname(resolved)), path.basename(resolved));
}

function isUpstream(steps: readonly Step[], step: Step, name: string): boolean {
  const byName = new Map(steps.map((each) => [each.name, each]));
  const before = new Set(step.depends);
  for (const each of before) for (const next of byName.get(each)?.depends ?? []) before.add(next);
  return before.has(name);
}

function misplaced(message: string): AppError {
  return new AppError('invalid_request', message, { reason: 'build_file_misplaced' });
}
