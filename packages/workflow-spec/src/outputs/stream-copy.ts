import type { StepOutput, StreamCopy } from '../canonical/outputs';
import { keySpec, objectKind } from '../read/object-kind';
import { objectShape } from '../read/read-object';
import { readFilledText, type Reader } from '../read/readers';
import { namedShape, shape } from '../read/shape';
import { either, filledText, invalid } from '../read/shapes';
import { kindOf, report, type YamlValue } from '../yaml/yaml-value';
import { stdoutOutputs } from './output';

/** Where a stream goes besides its log, and the outputs taken from it. */
export interface StreamUse {
  readonly copy?: StreamCopy;
  readonly output?: StepOutput;
}

const readArtifactPath: Reader<string> = (value) => {
  const path = readFilledText(value);
  if (path === undefined) return undefined;
  // The path is put under the artifact folder of the run and must stay there.
  const leaves = /^(?:[/\\~]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..');
  return leaves ? invalid(value, 'must be a path inside the artifacts, without ..') : path;
};

const artifact = keySpec(
  'Path below the artifacts of the run',
  shape(readArtifactPath, { type: ['string', 'number', 'boolean'], pattern: '^[^/\\\\~]' }),
);

const file = shape<StreamUse>((value) => {
  const path = readFilledText(value);
  return path === undefined ? undefined : { copy: { kind: 'file', path } };
}, filledText.schema);

const stdoutMap = objectShape(
  objectKind({
    title: 'stdout',
    keys: { artifact, outputs: keySpec('Outputs taken from the standard output', stdoutOutputs) },
    rules: { minProperties: 1 },
  }),
  (fields, value): StreamUse | undefined => {
    if (!fields.artifact && !fields.outputs) {
      report(value, 'missing_key', 'stdout must have artifact or outputs');
      return undefined;
    }
    return {
      ...copyOf(fields.artifact?.value),
      ...(fields.outputs?.value && { output: fields.outputs.value }),
    };
  },
);

const stderrMap = objectShape(
  objectKind({ title: 'stderr', keys: { artifact: { ...artifact, required: true } } }),
  (fields): StreamUse => copyOf(fields.artifact?.value),
);

/** A file, an artifact, or outputs taken from the stream. */
export const stdout = namedShape('Stdout', either(isMap, stdoutMap, file));

/** A file or an artifact. */
export const stderr = namedShape('Stderr', either(isMap, stderrMap, file));

function copyOf(path: string | undefined): StreamUse {
  return path === undefined ? {} : { copy: { kind: 'artifact', path } };
}

function isMap(value: YamlValue): boolean {
  return kindOf(value) === 'map';
}
