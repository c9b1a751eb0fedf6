import type { DeclaredOutput } from '@weir/workflow-spec';
import { decodeJson, textProblem } from './output-value';
import { shownName, type NamedOutput } from '../../model/run-model/step-outputs';

export type ParsedOutputs = { readonly outputs: readonly NamedOutput[] } | { readonly problem: string };

const recordForm = /^([A-Za-z_][A-Za-z0-9_]*)(=|<<)(.*)$/s;

/**
 * Parses the outputs that a step wrote: `name=value` lines, and values of several lines between `name<<DELIMITER` and a
 * line with the delimiter alone. Every declared name must occur exactly once, and no other.
 */
export function parseDeclaredOutputs(text: string, declared: readonly DeclaredOutput[]): ParsedOutputs {
  const records = readRecords(text);
  if ('problem' in records) return records;
  const { values } = records;
  const known = new Set(declared.map(({ name }) => name));
  const surplus = [...values.keys()].find((name) => !known.has(name));
  if (surplus !== undefined) return { problem: `the output ${shownName(surplus)} is not declared` };
  const outputs: NamedOutput[] = [];
  for (const { name, type } of declared) {
    const value = values.get(name);
    if (value === undefined) return { problem: `the output ${shownName(name)} was not written` };
    const decoded = type === 'json' ? decodeJson(value) : asText(value);
    if ('problem' in decoded) return { problem: `the output ${shownName(name)} ${decoded.problem}` };
    outputs.push({ name, value: decoded.value });
  }
  return { outputs };
}

type Records = { readonly values: ReadonlyMap<string, string> } | { readonly problem: string };

function readRecords(text: string): Records {
  const values = new Map<string, string>();
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = withoutReturn(lines[at] ?? '');
    if (line.trim() === '') continue;
    const number = at + 1;
    const [, name, sign, rest = ''] = recordForm.exec(line) ?? [];
    if (name === undefined)
      return { problem: `line ${number} of the outputs is neither name=value nor name<<DELIMITER` };
    if (values.has(name)) return { problem: `the output ${shownName(name)} was written twice` };
    if (sign === '=') {
      values.set(name, rest);
      continue;
    }
    const delimiter = rest.trim();
    if (delimiter === '') return { problem: `line ${number} of the outputs has no delimiter after <<` };
    const first = at + 1;
    for (at = first; at < lines.length; at += 1) if (withoutReturn(lines[at] ?? '') === delimiter) break;
    if (at === lines.length) return { problem: `the delimiter of the output ${shownName(name)} is missing` };
    values.set(name, lines.slice(first, at).join('\n'));
  }
  return { values };
}

function asText(value: string) {
  const problem = textProblem(value);
  return problem === undefined ? { value } : { problem };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
