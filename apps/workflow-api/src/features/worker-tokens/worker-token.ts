import { createHash } from 'node:crypto';
import type { WorkerLabels } from '@weir/workflow-engine/model';
import { base58 } from '../../adapters/base58';

/** The right to work for this installation by way of its servers. Only a digest of the token is stored. */
export interface WorkerToken {
  readonly id: string;
  readonly name: string;
  readonly tokenHash: string;
  readonly labels: WorkerLabels;
  readonly createdAt: Date;
  /** The name of the person who created it. */
  readonly createdBy: string;
  readonly lastUsedAt: Date | undefined;
}

const pattern = /^weirw_[1-9A-HJ-NP-Za-km-z]{32,44}$/;
export const tokenBytes = 32;

export function formatToken(bytes: Uint8Array): string {
  return `weirw_${base58.encode(bytes)}`;
}

/** Whether a value can be a worker token at all. */
export function looksLikeToken(value: string): boolean {
  return pattern.test(value);
}

/** A plain digest is enough: the token holds 256 random bits, so it cannot be guessed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
