import { AppError } from '@weir/foundation';
import type { Clock } from '@weir/workflow-engine/model';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { z } from 'zod';
import { tooManyAttempts } from '../../access/auth-errors';
import { toNetwork } from '../../access/login-throttle';
import type { RandomSource } from '../../adapters/random-source';
import type { ChatClient } from './chat-client';
import type { ChatClientRepository } from './chat-client-repository';
import { isUsableRedirect } from './redirect-address';

const maxClients = 1000;
const perHour = 20;
const unusedForMs = 86_400_000;
const maxRedirects = 10;
const maxNameLength = 100;

/** The metadata of a client (RFC 7591) that counts here; all other is ignored. */
export const RegistrationRequest = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(maxRedirects),
});

interface RegisterClientPorts {
  readonly clients: ChatClientRepository;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export type RegisterClient = (request: z.output<typeof RegistrationRequest>, address: string) => Promise<ChatClient>;

/**
 * Registers chat clients without a credential: at most 20 in an hour from a network and 1,000 in all. Those that nobody
 * connects within a day, or whose connections have ended, are removed. Throws `invalid_redirect_uri`.
 */
export function createRegisterClient({ clients, clock, random }: RegisterClientPorts): RegisterClient {
  const limiter = new RateLimiterMemory({ points: perHour, duration: 3600 });
  return async ({ client_name: name = '', redirect_uris: redirectAddresses }, address) => {
    if (unusableRedirect(redirectAddresses) !== undefined) {
      const message =
        'A redirect address must have https, be one of this machine (http://127.0.0.1), or have a scheme of its owner (com.example:/).';
      throw new AppError('invalid_request', message, { reason: 'invalid_redirect_uri' });
    }
    await consume(limiter, toNetwork(address));
    const now = clock.now();
    await clients.removeExpired(now);
    await clients.removeUnusedClients(new Date(now.getTime() - unusedForMs));
    if ((await clients.countClients()) >= maxClients) throw tooManyAttempts(3600);
    const client: ChatClient = {
      id: random.uuid(),
      name: toPlainName(name),
      redirectAddresses: [...new Set(redirectAddresses)],
      createdAt: now,
      lastUsedAt: now,
    };
    await clients.storeClient(client);
    return client;
  };
}

async function consume(limiter: RateLimiterMemory, network: string): Promise<void> {
  try {
    await limiter.consume(network);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw tooManyAttempts(error.msBeforeNext / 1000);
    throw error;
  }
}

export function unusableRedirect(addresses: readonly string[]): string | undefined {
  return addresses.find((each) => !isUsableRedirect(each));
}

/** Leaves out control characters and those that turn the direction of writing, which could disguise a name. */
export function toPlainName(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  return plain === '' ? 'A chat client' : Array.from(plain).slice(0, maxNameLength).join('');
}
