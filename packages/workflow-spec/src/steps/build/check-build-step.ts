import type { Step } from '../../model/step';
import type { Field, Fields } from '../../shapes/read-object';
import type { outputKeys } from '../../keys/step-keys/output-keys';
import type { StepOptions } from '../scope/step-options';
import { quote } from '../../source/text/quote';
import type { YamlValue } from '../../source/yaml/yaml-value';
import { filePlace } from './file-place';

type BuildParts = Pick<Step, 'run'> & Partial<Step>;

/** Reports files of a step that cannot be built. */
export function checkBuildStep(
  fields: Pick<Fields<typeof outputKeys>, 'inputs' | 'outputs' | 'stdout' | 'stderr'>,
  parts: BuildParts,
  options: StepOptions,
): void {
  const isReader = parts.inputs !== undefined && parts.inputs.length > 0;
  const field = isReader ? fields.inputs : parts.targets && fields.outputs;
  if (field === undefined) return;
  const problem = locationProblem(options) ?? workProblem(parts);
  const { context } = field.source;
  if (problem !== undefined) context.report.add('invalid_value', field.keyLocation, problem);
  checkStream(fields.stdout, parts.stdout, parts);
  checkStream(fields.stderr, parts.stderr, parts);
}

function locationProblem({ type, scope }: StepOptions): string | undefined {
  if (scope === 'handler') return 'a handler cannot have the files of a build';
  if (scope === 'foreach') return 'a step of a loop cannot have the files of a build';
  return type === 'build' ? undefined : "the files of a step need a DAG of type 'build'";
}

function workProblem({ run, container }: BuildParts): string | undefined {
  const isOnHost = run.kind === 'commands' || run.kind === 'script' || (run.kind === 'action' && run.action === 'exec');
  if (!isOnHost) return 'only a step with commands can have the files of a build';
  return container === undefined ? undefined : 'a step in a container cannot have the files of a build';
}

function checkStream(
  field: Field<unknown> | undefined,
  copy: Step['stdout'],
  { inputs = [], targets = [], workingDir }: BuildParts,
): void {
  if (field === undefined || copy?.kind !== 'file') return;
  const place = filePlace(workingDir, copy.path);
  const file = [...inputs, ...targets].find(({ path }) => filePlace(workingDir, path) === place);
  if (file !== undefined) reportStream(field.source, file.name);
}

function reportStream(source: YamlValue, name: string): void {
  source.context.report.add('invalid_value', source, `a stream cannot be copied to the build file ${quote(name)}`);
}
