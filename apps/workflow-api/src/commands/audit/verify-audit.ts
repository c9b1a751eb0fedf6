import { readFile } from 'node:fs/promises';
import { AppError } from '@weir/foundation';
import type { WorkflowClient } from '@weir/workflow-client';
import { AuditEntry, type AuditVerification } from '@weir/workflow-contract/schemas';
import { readAuditEntry, verifyEntries } from '../../features/audit';
import type { StoreCommand } from '../shared/program-host';
import { withApi } from '../shared/with-api';
import { readAuditPart } from './read-audit-part';

export interface VerifyAuditOptions extends StoreCommand {
  /** The path of an export. Default: the log of the server is verified. */
  readonly file?: string | undefined;
  /** `<position>:<hash>` of an entry that must be in the log. */
  readonly expect?: string | undefined;
}

interface Verified extends AuditVerification {
  /** Returns the hash at a position, or `undefined` where there is no such entry. */
  readonly hashAt: (position: number) => Promise<string | undefined>;
}

/** Prints the result. Returns 0 when every entry is as it was written, else 1. */
export async function verifyAudit(options: VerifyAuditOptions): Promise<number> {
  const { file } = options;
  const expected = parseExpected(options.expect);
  if (file !== undefined) return report(options, await verifyFile(file), expected);
  return withApi(options, async (client) => report(options, await verifyServer(client), expected));
}

async function report(
  { print, printError }: StoreCommand,
  verified: Verified,
  expected: { readonly position: number; readonly hash: string } | undefined,
): Promise<number> {
  const { problem, entries, firstPosition, lastPosition, lastHash } = verified;
  if (problem !== undefined) {
    printError(`weir: ${problem.message}`);
    return 1;
  }
  if (expected !== undefined && (await verified.hashAt(expected.position)) !== expected.hash) {
    printError(`weir: The entry at position ${expected.position} is not the one that was expected.`);
    return 1;
  }
  print(entries === 0 ? 'no entries' : `${entries} entries verified, ${firstPosition} to ${lastPosition}:${lastHash}`);
  return 0;
}

async function verifyServer(client: WorkflowClient): Promise<Verified> {
  const { data } = await client.GET('/audit/verification', {});
  const hashAt = async (position: number): Promise<string | undefined> => {
    const [line] = await readAuditPart(client, position - 1, 1);
    return line === undefined ? undefined : parseLine(line, 1).hash;
  };
  return { ...data, hashAt };
}

async function verifyFile(file: string): Promise<Verified> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const entries = lines.map((line, index) => readAuditEntry(parseLine(line, index + 1)));
  const hashAt = (position: number) => Promise.resolve(entries.find((entry) => entry.position === position)?.hash);
  return { ...verifyEntries(entries), hashAt };
}

function parseLine(line: string, number: number): AuditEntry {
  try {
    return AuditEntry.parse(JSON.parse(line));
  } catch (cause) {
    const message = `Line ${number} is no entry of an audit log.`;
    throw new AppError('invalid_request', message, { reason: 'audit_export_invalid', cause });
  }
}

function parseExpected(text: string | undefined) {
  if (text === undefined) return undefined;
  const [, position, hash] = /^(\d{1,10}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined) {
    const message = '--expect needs a position and a hash, as "weir audit verify" prints them.';
    throw new AppError('invalid_request', message, { reason: 'request_invalid' });
  }
  return { position: Number(position), hash };
}
