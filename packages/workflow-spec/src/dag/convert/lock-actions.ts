import type { ActionLocks } from '../../keys/actions/action-lock';
import { readDocuments } from '../../source/yaml/read-documents';
import { getEntries, type YamlValue } from '../../source/yaml/yaml-value';
import { applyEdits, type TextEdit } from './text-edit';

/**
 * Writes the `action_lock` of each document of a spec, in their order. Documents without locks, and everything else
 * in the text, stay unchanged.
 */
export function lockActions(text: string, locks: readonly ActionLocks[]): string {
  const { documents } = readDocuments(text);
  const edits = documents.flatMap((document, index) => {
    const own = locks[index] ?? {};
    return Object.keys(own).length === 0 ? [] : lockDocument(text, document, own);
  });
  return applyEdits(text, edits);
}

function lockDocument(text: string, document: YamlValue, locks: ActionLocks): readonly TextEdit[] {
  const entries = getEntries(document);
  const existing = entries.find(({ key }) => key === 'action_lock' || key === 'actionLock');
  const at = (existing ?? entries[0])?.location.range[0];
  if (at === undefined) return [];
  const isFlow = text.charAt(document.range[0]) === '{';
  const indent = ' '.repeat(at - text.lastIndexOf('\n', at - 1) - 1);
  const printed = isFlow ? `"action_lock": ${JSON.stringify(locks)}` : printLocks(locks, indent);
  // The range of a block may hold the end of its last line.
  if (existing) return [{ range: [at, text.slice(0, existing.value.range[1]).trimEnd().length], text: printed }];
  return [{ range: [at, at], text: isFlow ? `${printed}, ` : `${printed}\n${indent}` }];
}

function printLocks(locks: ActionLocks, indent: string): string {
  const lines = Object.entries(locks).flatMap(([action, { commit, checksum }]) => [
    `  ${/^[\w./@+-]+$/.test(action) ? action : JSON.stringify(action)}:`,
    `    commit: ${JSON.stringify(commit)}`,
    `    checksum: ${checksum}`,
  ]);
  return ['action_lock:', ...lines].join(`\n${indent}`);
}
