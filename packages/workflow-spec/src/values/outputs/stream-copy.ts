import type { StepOutput, StreamCopy } from '../../model/outputs';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readNonEmptyText, type Reader } from '../../shapes/readers';
import { namedShape, shape } from '../../shapes/shape';
import { either, nonEmptyText, reportInvalid } from '../../shapes/shapes';
import { getKind, report, type YamlValue } from '../../source/yaml/yaml-value';
import { stdoutOutputs } from './output';

export interface StreamSettings {
  readonly copy?: StreamCopy;
  readonly output?: StepOutput;
}

const readArtifactPath: Reader<string> = (value) => {
  const path = readNonEmptyText(value);
  if (path === undefined) return undefined;
  // The path must stay inside the artifact folder of the run.
  const leaves = /^(?:[/\\~]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..');
  return leaves ? reportInvalid(value, 'must be a path inside the artifact folder, without ..') : path;
};

const artifact = keySpec(
  'Path inside the artifact folder of the run',
  shape(readArtifactPath, { type: ['string', 'number', 'boolean'], pattern: '^[^/\\\\~]' }),
);

const file = shape<StreamSettings>((value) => {
  const path = readNonEmptyText(value);
  return path === undefined ? undefined : { copy: { kind: 'file', path } };
}, nonEmptyText.schema);

const stdoutMap = objectShape(
  objectKind({
    title: 'stdout',
    keys: { artifact, outputs: keySpec('Outputs taken from the standard output', stdoutOutputs) },
    rules: { minProperties: 1 },
  }),
  (fields, value): StreamSettings | undefined => {
    if (!fields.artifact && !fields.outputs) {
      report(value, 'missing_key', 'stdout must have artifact or outputs');
      return undefined;
    }
    return {
      ...toArtifactCopy(fields.artifact?.value),
      ...(fields.outputs?.value && { output: fields.outputs.value }),
    };
  },
);

const stderrMap = objectShape(
  objectKind({ title: 'stderr', keys: { artifact: { ...artifact, required: true } } }),
  (fields): StreamSettings => toArtifactCopy(fields.artifact?.value),
);

export const stdout = namedShape('Stdout', either(isMap, stdoutMap, file));

export const stderr = namedShape('Stderr', either(isMap, stderrMap, file));

function toArtifactCopy(path: string | undefined): StreamSettings {
  return path === undefined ? {} : { copy: { kind: 'artifact', path } };
}

function isMap(value: YamlValue): boolean {
  return getKind(value) === 'map';
}
