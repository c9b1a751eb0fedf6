import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type Schemas } from '../../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { runKey, type RunAddress } from '../../../parts/run/run-address';
import { parseJournalLine, type JournalEntry } from './parse-journal-line';

/** The part of a run's log that was read. */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  readonly nextLine: number;
  /** Whether there are further entries. */
  readonly isCut: boolean;
}

const linesPerRead = 5000;
const maxLines = 50_000;
const empty: Journal = { entries: [], nextLine: 1, isCut: false };

/**
 * Reads the log of the run as entries. Each change of the run reads the new ones.
 *
 * @param version Changes whenever the run has changed.
 */
export function useJournal(address: RunAddress, version: number): UseQueryResult<Journal, Failure> {
  const client = useQueryClient();
  const key = ['journal', runKey(address)] as const;
  const [, id] = key;
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['journal', id] });
  }, [client, id, version]);
  return useQuery<Journal, Failure>({
    queryKey: key,
    queryFn: ({ signal }) => readOn(address, client.getQueryData<Journal>(key) ?? empty, signal),
  });
}

async function readOn(address: RunAddress, known: Journal, signal: AbortSignal): Promise<Journal> {
  const entries = [...known.entries];
  let { nextLine } = known;
  while (nextLine <= maxLines) {
    const { lines } = await readLines(address, nextLine, signal);
    const last = lines.at(-1);
    if (last === undefined) return { entries, nextLine, isCut: false };
    for (const { text } of lines) {
      const entry = parseJournalLine(text);
      if (entry !== undefined) entries.push(entry);
    }
    nextLine = last.number + 1;
  }
  return { entries, nextLine, isCut: true };
}

function readLines(address: RunAddress, line: number, signal: AbortSignal): Promise<Schemas['LogLinesResponse']> {
  const { name, runId, sub } = address;
  const query = { line, limit: linesPerRead };
  const path = { name, dagRunId: runId };
  if (sub === undefined) {
    return unwrap(api.GET('/dag-runs/{name}/{dagRunId}/log/lines', { params: { path, query }, signal }));
  }
  return unwrap(
    api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/lines', {
      params: { path: { ...path, subDAGRunId: sub }, query },
      signal,
    }),
  );
}
