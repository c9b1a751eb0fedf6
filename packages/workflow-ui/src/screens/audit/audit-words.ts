import type { AuditEntry } from './audit-data';

/** Returns the changed object by the name in its details; otherwise by its id. */
export function objectOf(entry: Pick<AuditEntry, 'resourceId' | 'details' | 'workspace'>): string {
  const { after, before } = readDetails(entry);
  const name = [nameIn(after), nameIn(before), entry.resourceId].find((text) => text !== undefined) ?? '';
  return entry.workspace === undefined ? name : `${name} · ${entry.workspace}`;
}

/** Returns the name of the caller, or its id without a name; `undefined` without a caller. */
export function callerOf({ username, userId }: Pick<AuditEntry, 'username' | 'userId'>): string | undefined {
  return [username, userId].find((text) => text !== '');
}

/** Returns what the server recorded of the change. Details that were cut are no valid JSON. */
export function readDetails({ details }: Pick<AuditEntry, 'details'>): Readonly<Record<string, unknown>> {
  if (details === undefined) return {};
  try {
    const value: unknown = JSON.parse(details);
    return typeof value === 'object' && value !== null ? { ...value } : { details };
  } catch {
    return { details };
  }
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return [fields.username, fields.name, fields.ref, fields.dagName].find((text) => typeof text === 'string');
}
