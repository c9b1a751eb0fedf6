import { AppError } from '@weir/foundation';
import { createSuggest, didYouMean } from '@weir/workflow-spec/text';
import { allExamples } from '../../examples/examples';

/** Returns the names of the examples, with a line for each; with a name, that example. Throws `not_found` for another name. */
export function exampleText(name?: string): string {
  if (name === undefined) return listText();
  const found = allExamples.find(({ fileName }) => fileName === name);
  if (found !== undefined) return found.spec.trimEnd();
  const names = allExamples.map(({ fileName }) => fileName);
  throw new AppError('not_found', `There is no example "${name}"${didYouMean(createSuggest()(name, names))}.`);
}

function listText(): string {
  const width = Math.max(...allExamples.map(({ fileName }) => fileName.length));
  const lines = allExamples.map(({ fileName, about }) => `  ${fileName.padEnd(width)}  ${about}`);
  return ['Examples; "weir example NAME" prints one:', ...lines].join('\n');
}
