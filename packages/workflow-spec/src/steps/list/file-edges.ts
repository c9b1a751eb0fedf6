import { quote } from '../../source/text/quote';
import type { NamedStep } from './name-steps';
import { filePlace } from '../build/file-place';
import { report, type YamlValue } from '../../source/yaml/yaml-value';

/** A dependency of a step on the step that makes its input. */
export interface FileEdge {
  readonly name: string;
  readonly location: YamlValue;
}

/**
 * Returns the steps that make the inputs of each step. Paths are compared as written, with `.`, `..` and the folder
 * of the step resolved; links are followed only when the run starts. A file that two steps make is reported.
 */
export function fileEdges(steps: readonly NamedStep[]): ReadonlyMap<string, readonly FileEdge[]> {
  const makers = findMakers(steps);
  return new Map(
    steps.map(({ step, name }) => {
      const { inputs = [], workingDir } = step.parts;
      const found = new Set(inputs.flatMap(({ path }) => makers.get(filePlace(workingDir, path)) ?? []));
      return [name, [...found].map((maker) => ({ name: maker, location: step.source }))];
    }),
  );
}

function findMakers(steps: readonly NamedStep[]): ReadonlyMap<string, string> {
  const makers = new Map<string, string>();
  for (const { step, name } of steps) {
    const { targets = [], workingDir } = step.parts;
    for (const { path } of targets) {
      const place = filePlace(workingDir, path);
      const maker = makers.get(place);
      if (maker === undefined) makers.set(place, name);
      else {
        const who = maker === name ? `the step ${quote(name)} twice` : `the steps ${quote(maker)} and ${quote(name)}`;
        report(step.source, 'duplicate_name', `the file ${quote(path)} is made by ${who}`);
      }
    }
  }
  return makers;
}
