import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { isAppError } from '@weir/foundation';
import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { Sealer } from '../../encryption';
import { loginExpired } from './agent-setting-errors';

/** The secret state of a login between its begin and its end. */
export interface LoginFlow {
  readonly providerId: string;
  /** Id of the principal that began the login. */
  readonly principalId: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface LoginFlows {
  /** Returns the id of a new login. */
  begin(flow: LoginFlow): Promise<string>;
  /** Returns the login of an id, once. Rejects with `agent_login_expired`. */
  take(id: string, owner: Pick<LoginFlow, 'providerId' | 'principalId'>): Promise<LoginFlow>;
  /** Makes a login that was taken usable again, because the provider could not be reached. */
  giveBack(id: string): void;
}

const lifetimeMs = 10 * 60 * 1000;
const maxUsed = 10_000;
const context = 'agent login in progress';

const Stored = z.object({
  providerId: z.string(),
  principalId: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  id: z.string(),
  expiresAt: z.number(),
});

/**
 * Seals a login into its id, so that it needs no table and survives a restart. Used ids are remembered until they
 * would have expired; on another process of the installation, the provider refuses the code.
 */
export function createLoginFlows(
  sealer: Pick<Sealer, 'seal' | 'open'>,
  clock: Clock,
  random: Pick<RandomSource, 'uuid'>,
): LoginFlows {
  const used = new LRUCache<string, true>({ max: maxUsed, ttl: lifetimeMs });
  const read = async (text: string): Promise<z.output<typeof Stored>> => {
    const [keyId = '', wrapped = '', encrypted = ''] = text.split('.');
    try {
      return Stored.parse(JSON.parse(await sealer.open({ keyId, text: `${wrapped}.${encrypted}` }, context)));
    } catch (error) {
      const isForeign =
        !isAppError(error) || ['encryption_key_unknown', 'sealed_text_damaged'].includes(error.reason ?? '');
      throw isForeign ? loginExpired() : error;
    }
  };
  return {
    async begin(flow) {
      const expiresAt = clock.now().getTime() + lifetimeMs;
      const { keyId, text } = await sealer.seal(JSON.stringify({ ...flow, id: random.uuid(), expiresAt }), context);
      return `${keyId}.${text}`;
    },
    async take(text, { providerId, principalId }) {
      const { expiresAt, ...flow } = await read(text);
      const isOther = flow.providerId !== providerId || flow.principalId !== principalId;
      if (isOther || used.has(text) || expiresAt <= clock.now().getTime()) throw loginExpired();
      used.set(text, true);
      return flow;
    },
    giveBack: (text) => {
      used.delete(text);
    },
  };
}
