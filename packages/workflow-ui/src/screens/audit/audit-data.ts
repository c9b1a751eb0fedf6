import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { saveFile } from '../../parts/save-file';
import { periodLengths } from './audit-filters';
import type { AuditSearch } from './search';

export type AuditEntry = Schemas['AuditEntry'];

export const entriesPerPage = 50;
const entriesPerPart = 5000;

/** A page of the matching entries, newest first. */
export const auditQuery = ({ q, category, result, since, page = 1 }: Omit<AuditSearch, 'entry'>) =>
  queryOptions<Schemas['AuditLogsResponse'], Failure>({
    queryKey: ['audit', { q, category, result, since, page }],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/audit', {
          params: {
            query: {
              ...(q === undefined ? {} : { search: q }),
              ...(category === undefined ? {} : { category }),
              ...(result === undefined ? {} : { result }),
              ...(since === undefined ? {} : { startTime: new Date(Date.now() - periodLengths[since]).toISOString() }),
              limit: entriesPerPage,
              offset: (page - 1) * entriesPerPage,
            },
          },
          signal,
        }),
      ),
  });

export function verifyAuditLog(): Promise<Schemas['AuditVerification']> {
  return unwrap(api.GET('/audit/verification'));
}

/** Saves the whole log as JSON Lines, which `weir audit verify --file` checks. */
export async function saveAuditLog(): Promise<void> {
  const parts: string[] = [];
  let after: number | undefined = 0;
  while (after !== undefined) {
    const part = await readPart(after);
    parts.push(part);
    after = lastPositionOf(part);
  }
  const file = new Blob(parts, { type: 'application/x-ndjson' });
  saveFile(file, `weir-audit-${new Date().toISOString().replaceAll(':', '-')}.jsonl`);
}

async function readPart(after: number): Promise<string> {
  const query = { after, limit: entriesPerPart };
  const answer: { readonly data: unknown } = await api.GET('/audit/export', { params: { query }, parseAs: 'text' });
  // An answer without content has no text.
  return typeof answer.data === 'string' ? answer.data : '';
}

/** Returns the position of the last line; `undefined` for a part without lines, which is the end. */
function lastPositionOf(part: string): number | undefined {
  const text = part.trimEnd();
  if (text === '') return undefined;
  const { position } = JSON.parse(text.slice(text.lastIndexOf('\n') + 1)) as AuditEntry;
  return position;
}
