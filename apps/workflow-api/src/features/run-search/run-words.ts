import type { RunMatch } from '@weir/workflow-contract/schemas';
import type { DagRunStep, DagRunSummary } from '@weir/workflow-engine/model';

export type FoundRun = Pick<DagRunSummary, 'dagName' | 'dagRunId' | 'labels' | 'params' | 'error' | 'workspace'>;
export type FailedStep = Pick<DagRunStep, 'name' | 'error'>;

interface RunField extends Pick<RunMatch, 'field' | 'step'> {
  readonly text: string;
}

const maxFieldLength = 2_000;
const maxLabels = 50;
const maxFailedSteps = 10;
const maxWordLength = 64;
const maxSearchedWords = 16;
const maxMatches = 5;
const excerptBefore = 40;
const excerptLength = 160;

/** Returns what a search looks for: each word once. */
export function searchedWords(text: string): readonly string[] {
  return [...new Set(listWords(text).map(({ word }) => word))].slice(0, maxSearchedWords);
}

/** Returns the words of a run for the index. */
export function wordsOfRun(run: FoundRun, failedSteps: readonly FailedStep[]): readonly string[] {
  return [
    ...new Set(listFields(run, failedSteps).flatMap(({ text }) => listWords(text).map(({ word }) => word))),
    workspaceMark(run.workspace),
  ];
}

/** The word of a workspace, or of none. No text contains it, because a colon is neither a letter nor a digit. */
export function workspaceMark(workspace: string | null): string {
  return `:${Buffer.from(workspace ?? '').toString('hex')}`;
}

/** Returns the fields that contain words which begin like those searched for; none unless all of them are found. */
export function findRunMatches(
  run: FoundRun,
  failedSteps: readonly FailedStep[],
  searched: readonly string[],
): readonly RunMatch[] {
  const missing = new Set(searched);
  const matches: RunMatch[] = [];
  for (const { text, ...field } of listFields(run, failedSteps)) {
    let first: number | undefined;
    for (const { word, index } of listWords(text)) {
      for (const each of searched) {
        if (!word.startsWith(each)) continue;
        missing.delete(each);
        first ??= index;
      }
    }
    if (first !== undefined) matches.push({ ...field, excerpt: cutExcerpt(text, first) });
  }
  return missing.size > 0 ? [] : matches.slice(0, maxMatches);
}

/** What lists and details of runs show too: secrets were masked in it before it was stored. */
function listFields(run: FoundRun, failedSteps: readonly FailedStep[]): readonly RunField[] {
  const fields: readonly RunField[] = [
    { field: 'name', text: run.dagName },
    { field: 'dagRunId', text: run.dagRunId },
    { field: 'error', text: run.error ?? '' },
    ...failedSteps
      .slice(0, maxFailedSteps)
      .map(({ name, error }) => ({ field: 'step' as const, step: name, text: error ?? '' })),
    ...run.labels.slice(0, maxLabels).map((text) => ({ field: 'label' as const, text })),
    { field: 'params', text: run.params },
  ];
  return fields.map((field) => ({ ...field, text: field.text.slice(0, maxFieldLength) }));
}

/** Lists the words of letters and digits with the index of each in the text. */
function listWords(text: string): readonly { readonly word: string; readonly index: number }[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].flatMap(({ 0: found, index }) =>
    // A fraction such as ½ is several words once it is written out.
    (
      found
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
    ).map((word) => ({
      word: word.length > maxWordLength ? Array.from(word).slice(0, maxWordLength).join('') : word,
      index,
    })),
  );
}

function cutExcerpt(text: string, index: number): string {
  const start = index <= excerptBefore ? 0 : index - excerptBefore;
  const end = start + excerptLength;
  const cut = text
    .slice(start, end)
    .replaceAll(/\p{Surrogate}/gu, '')
    .replaceAll(/\s+/gu, ' ');
  return `${start > 0 ? '…' : ''}${cut}${end < text.length ? '…' : ''}`;
}
