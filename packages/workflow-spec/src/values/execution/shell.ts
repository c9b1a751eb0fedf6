import type { SourceLocation } from '../../source/findings/source-location';
import type { Field } from '../../shapes/read-object';
import { shape } from '../../shapes/shape';
import { splitWords } from '../../source/text/words';
import { readNonEmptyText, readTextList, reportWrongKind, type Reader } from '../../shapes/readers';
import { getKind, report, type ReadContext } from '../../source/yaml/yaml-value';

/** Splits a command such as `bash -e` into words; undefined when a quote is not closed. */
export function splitShell(text: string): readonly string[] | undefined {
  return splitWords(text)?.map((word) => word.text);
}

const readShell: Reader<readonly string[]> = (value) => {
  const kind = getKind(value);
  if (kind === 'map' || kind === 'null') {
    reportWrongKind(value, 'a string or a list of strings');
    return undefined;
  }
  if (kind === 'list') {
    const list = readTextList(value) ?? [];
    if (list.length > 0) return list;
    report(value, 'invalid_value', 'shell must name a program');
    return undefined;
  }
  const text = readNonEmptyText(value);
  if (text === undefined) return undefined;
  const words = splitShell(text);
  if (words) return words;
  report(value, 'invalid_value', 'shell has a quote that is not closed');
  return undefined;
};

const scalar = ['string', 'number', 'boolean'];

export const shell = shape(readShell, {
  anyOf: [
    { type: scalar, minLength: 1 },
    { type: 'array', items: { type: scalar }, minItems: 1 },
  ],
});

interface ShellFields {
  readonly shell?: Field<readonly string[]>;
  readonly shell_args?: Field<readonly string[]>;
}

export function joinShell(
  { shell, shell_args: args }: ShellFields,
  context: ReadContext,
): readonly string[] | undefined {
  if (!args) return shell?.value;
  if (shell) return shell.value && [...shell.value, ...(args.value ?? [])];
  const location: SourceLocation = args.keyLocation;
  context.report.add('missing_key', location, 'shell is required when shell_args is given');
  return undefined;
}
