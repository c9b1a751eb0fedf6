import type { AuditAction, Endpoint } from '@weir/http-contract';
import { isAppError } from '@weir/foundation';
import type { BoundCall } from '@weir/service-kit';
import type { AuditedChange } from '../../access/audited-operation';
import type { Principal } from '../../access/principal';
import type { AuditRecord } from './audit-entry';

/** Longest text of details, in characters. */
const maxDetails = 16_384;
const maxName = 200;
const mask = '*****';

export interface RecordedCall {
  readonly call: BoundCall<Principal>;
  readonly action: AuditAction;
  readonly change: AuditedChange;
  /** Why the call was refused; missing when it was not. */
  readonly failure?: unknown;
}

/** What is recorded of a call: who, from where, and the change, but no value that a caller sent and nobody described. */
export function toAuditRecord(
  { call, action, change, failure }: RecordedCall,
  { id, timestamp }: Pick<AuditRecord, 'id' | 'timestamp'>,
): AuditRecord {
  const params = Object.values(toObject(call.input?.params)).map(String);
  return {
    id,
    timestamp,
    category: action.category,
    action: action.action,
    result: failure === undefined ? 'success' : 'failure',
    ...callerOf(call),
    resourceType: action.category,
    resourceId: change.resourceId ?? (params.length === 0 ? null : params.join('/')),
    workspace: change.workspace === undefined ? onlyOne(call.principal?.neededIn) : change.workspace,
    correlationId: call.requestId,
    details: formatDetails(call, change, failure),
  };
}

function onlyOne(workspaces: ReadonlySet<string | undefined> = new Set()): string | null {
  const [first, ...others] = workspaces;
  return others.length === 0 ? (first ?? null) : null;
}

type Caller = Pick<AuditRecord, 'userId' | 'username' | 'credentialType' | 'credentialId' | 'ipAddress'>;

function callerOf({ endpoint, principal, input, clientAddress }: BoundCall<Principal>): Caller {
  const { username } = toObject(input?.body);
  const tried = typeof username === 'string' ? username.slice(0, maxName) : '';
  const name = principal === undefined || principal.name === '' ? tried : principal.name;
  return {
    userId: principal?.ownerId ?? principal?.id ?? '',
    username: name,
    ...credentialOf(endpoint, principal),
    ipAddress: clientAddress === '' ? null : clientAddress,
  };
}

function credentialOf(
  { access }: Endpoint,
  principal: Principal | undefined,
): Pick<Caller, 'credentialType' | 'credentialId'> {
  if (access === 'login') return { credentialType: 'password', credentialId: null };
  if (principal === undefined) return { credentialType: 'anonymous', credentialId: null };
  if (principal.kind === 'api-key') {
    return { credentialType: 'api-key', credentialId: principal.id.slice('apikey:'.length) };
  }
  if (principal.kind !== 'user') return { credentialType: principal.kind, credentialId: null };
  const { sessionId } = principal;
  return { credentialType: sessionId === undefined ? 'token' : 'session', credentialId: sessionId ?? null };
}

function formatDetails({ input }: BoundCall<Principal>, { before, after }: AuditedChange, failure: unknown): string {
  const { remoteNode, ...others } = toObject(input?.query);
  const isElsewhere = remoteNode !== undefined && remoteNode !== '' && remoteNode !== 'local';
  const query = { ...others, ...(isElsewhere ? { remoteNode } : {}) };
  const fields = Object.keys(toObject(input?.body));
  const request = {
    ...optional('params', toObject(input?.params)),
    ...optional('query', query),
    ...(fields.length === 0 ? {} : { fields }),
    ...(isAppError(failure) ? { reason: failure.reason ?? failure.code } : {}),
  };
  const text = JSON.stringify({ ...request, before: hideSecrets(before), after: hideSecrets(after) });
  if (text.length <= maxDetails) return text;
  const short = JSON.stringify({ ...request, isShortened: true });
  return short.length <= maxDetails ? short : JSON.stringify({ isShortened: true });
}

function optional(name: string, values: Readonly<Record<string, unknown>>): object {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length === 0 ? {} : { [name]: Object.fromEntries(given) };
}

const secretName = /password|secret|token|hash$|digest|credential/i;

/** Changes are described without secrets; this is for the day when one is not. */
function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [
      name,
      secretName.test(name) && typeof field === 'string' ? mask : hideSecrets(field),
    ]),
  );
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
