import { AppError } from '@weir/foundation';
import type { WorkerLabels } from '@weir/workflow-engine/model';
import type { ListFormat } from '../shared/formats';
import { printList } from '../shared/print-list';
import { formatTable } from '../shared/table';

/** A token of either kind: a role of the database, or a token of a server, which also knows its maker and its use. */
export interface ListedToken {
  readonly kind: 'database' | 'server';
  readonly name: string;
  readonly labels: WorkerLabels;
  readonly createdBy?: string;
  readonly lastUsedAt?: string | null;
}

export interface ListCommand {
  readonly format: ListFormat;
  readonly print: (text: string) => void;
}

// PostgreSQL would cut longer names of roles; its policies are named by this name and a verb.
const namePattern = /^[a-z][a-z0-9_-]{0,39}$/;

/** Throws `worker_token_name_invalid`. */
export function assertTokenName(name: string): void {
  if (namePattern.test(name)) return;
  const message = `${JSON.stringify(name)} is no name of a worker token: it has up to 40 small letters, digits, _ and -, and begins with a letter.`;
  throw new AppError('invalid_request', message, { reason: 'worker_token_name_invalid' });
}

export function printTokens(tokens: readonly ListedToken[], { format, print }: ListCommand): void {
  const rows = tokens.map(({ name, kind, labels, createdBy = '', lastUsedAt }) => {
    return [name, kind, formatLabels(labels), createdBy, lastUsedAt ?? ''];
  });
  const header = ['NAME', 'KIND', 'LABELS', 'CREATED BY', 'LAST USED'];
  printList({ value: { tokens }, table: () => formatTable([header, ...rows]) }, { format, print });
}

function formatLabels(labels: WorkerLabels): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}
