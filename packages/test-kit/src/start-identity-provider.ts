import path from 'node:path';
import { freePort } from './free-port';
import { spawnProcess } from './spawn-process';

export interface IdentityProviderOptions {
  /** The address to which the provider's one client wants browsers back. */
  readonly redirectUri: string;
  /** The address to which it lets browsers back after a sign-out. Default: none. */
  readonly signedOutUri?: string;
  /** Claims by subject; a person signs in with the subject as name and any password. */
  readonly people: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Default: any free port. */
  readonly port?: number;
}

/** A certified OpenID provider (oidc-provider) on a loopback address, with one client. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly stop: () => Promise<void>;
}

const client = { clientId: 'weir', clientSecret: 'the secret of the client of every spec' };

export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const port = options.port ?? (await freePort());
  const script = path.resolve(__dirname, '../src/identity-provider.mjs');
  const server = await spawnProcess({
    command: process.execPath,
    args: [script, JSON.stringify({ ...options, ...client, port })],
  });
  await server.waitForOutput('ready');
  return {
    ...client,
    issuer: `http://127.0.0.1:${port}`,
    stop: async () => {
      await server.stop();
    },
  };
}
