import type { ParseResult } from '../document/parse-dag';
import type { Finding } from '../../source/findings/finding';
import { hasErrors } from '../../source/findings/format-finding';
import { findAtPointer } from '../../source/yaml/find-at-pointer';
import { readDocuments } from '../../source/yaml/read-documents';
import { getEntries, getItems, getKind, getText, type YamlValue } from '../../source/yaml/yaml-value';
import { rewriteStep } from './rewrite-step';
import { applyEdits, toOffsets, type TextEdit } from './text-edit';

export interface ConvertedSpec {
  /** The text with today's spellings; the text itself where nothing could be changed. */
  readonly text: string;
  /** Number of older spellings that were replaced. */
  readonly replaced: number;
  /** The findings of `text`. With errors among them, nothing was changed. */
  readonly findings: readonly Finding[];
}

/** How a text is read: with the base configuration of the installation, or without one. */
export type ParseSpec = (text: string) => ParseResult | Promise<ParseResult>;

const oldCodes: readonly string[] = ['deprecated_key', 'deprecated_value', 'chain_assumed'];
/** A rewritten step may show older spellings inside it; no file nests deeper. */
const maxPasses = 100;

/**
 * Replaces older spellings in a DAG spec by today's. Comments and layout of everything else stay. An edit after which the
 * spec would be read as other DAGs is not made: the DAGs before and after are equal. Converting the result changes nothing.
 */
export async function convertSpec(text: string, parse: ParseSpec): Promise<ConvertedSpec> {
  const original = await parse(text);
  let current: ConvertedSpec = { text, replaced: 0, findings: original.findings };
  if (hasErrors(original.findings)) return current;
  const isSame = async (changed: string) => {
    const result = await parse(changed);
    return !hasErrors(result.findings) && plan(result) === plan(original) ? result.findings : undefined;
  };
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const next = await convertOnce(current, isSame);
    if (next === undefined) break;
    current = { ...next, replaced: countOld(original.findings) - countOld(next.findings) };
  }
  return current;
}

type FindingsIfSame = (text: string) => Promise<readonly Finding[] | undefined>;

/** All edits together, or a part of them where together they change the DAG. Undefined when none is left. */
async function convertOnce({ text, findings }: ConvertedSpec, isSame: FindingsIfSame) {
  const old = findings.filter(({ code }) => oldCodes.includes(code));
  const fixes = old.flatMap(({ fix }) => (fix ? [{ range: toOffsets(text, fix), text: fix.text }] : []));
  const withoutFix = old.filter(({ fix }) => fix === undefined);
  const rewritten = rewriteSteps(text, withoutFix);
  const all = [...rewritten, ...fixes];
  const single = all.length > 1 ? all.map((edit) => [edit]) : [];
  // Of a step that is written anew, the renamed keys are too: its edit comes first and covers theirs.
  for (const edits of [all, ...(rewritten.length > 0 ? [fixes] : []), ...single]) {
    const changed = applyEdits(text, edits);
    if (changed === text) continue;
    const found = await isSame(changed);
    if (found && countOld(found) < countOld(findings)) return { text: changed, findings: found };
  }
  return undefined;
}

function rewriteSteps(text: string, findings: readonly Finding[]): readonly TextEdit[] {
  if (findings.length === 0) return [];
  const { documents } = readDocuments(text);
  const edits = new Map<number, TextEdit>();
  for (const { path } of findings) {
    const parent = path.slice(0, path.lastIndexOf('/'));
    if (parent === '') continue;
    for (const document of documents) {
      const step = findAtPointer(document, parent);
      const edit = step && rewriteStep(text, step, targetNames(document));
      if (edit) edits.set(edit.range[0], edit);
    }
  }
  return [...edits.values()];
}

/** The targets that routes name. */
function targetNames(document: YamlValue): readonly string[] {
  const steps = findAtPointer(document, '/steps');
  const items = steps && getKind(steps) === 'list' ? getItems(steps) : [];
  const names = items.flatMap((item) =>
    getEntries(item).flatMap(({ key, value }) => (key === 'id' || key === 'name' ? [getText(value) ?? ''] : [])),
  );
  return [...new Set(names)];
}

function countOld(findings: readonly Finding[]): number {
  return findings.filter(({ code }) => oldCodes.includes(code)).length;
}

/** Settings of an action may be in another order. */
function plan({ dag, localDags }: ParseResult): string {
  return JSON.stringify([dag, localDags], (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}
