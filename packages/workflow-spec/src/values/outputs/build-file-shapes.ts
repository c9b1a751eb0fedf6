import { outputNamePattern, outputNameProblem } from './output-name';
import { readNonEmptyText, readText, type Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { report } from '../../source/yaml/yaml-value';

const readName: Reader<string> = (value) => {
  const name = readText(value);
  const problem = name === undefined ? undefined : outputNameProblem(name);
  if (problem === undefined) return name;
  report(value, 'invalid_output_name', problem);
  return undefined;
};

// The references of a path must be known before the step and the steps before it have executed.
const lateReference = /\$\{(?:raw\.)?(?:steps|inputs|outputs|foreach|ITEM|context\.(?:step|paths|run|attempt))\b/;

const readPath: Reader<string> = (value) => {
  const path = readNonEmptyText(value);
  if (path === undefined || !lateReference.test(path)) return path;
  report(
    value,
    'invalid_value',
    'the path of a build file can refer only to parameters, constants and the environment',
  );
  return undefined;
};

/** The name of an input or output of a step. */
export const buildFileName = shape(readName, { type: ['string', 'boolean'], pattern: outputNamePattern.source });
export const buildFilePath = shape(readPath, { type: ['string', 'number', 'boolean'], minLength: 1 });
