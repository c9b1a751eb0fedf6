import { setTimeout as sleep } from 'node:timers/promises';
import { revocationCall } from '../cloud/token-calls';
import { createTransport } from '../cloud/transport';
import type { RevocationState } from '../runner/state';

export interface RevokeOptions {
  /** The time limit of all attempts together. */
  readonly timeoutMs: number;
  readonly debug: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Revokes the token. Fails like the transport. */
export async function revokeToken(state: RevocationState, { timeoutMs, debug, env }: RevokeOptions): Promise<void> {
  const { url, userAgent, requestReason, token } = state;
  const now = Date.now;
  const deadline = now() + timeoutMs;
  const transport = createTransport({
    env,
    userAgent,
    requestReason,
    deadline,
    now,
    sleep,
    random: Math.random,
    debug,
  });
  await transport.send(revocationCall(url, token));
}
