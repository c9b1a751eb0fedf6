import type { Duplex } from 'node:stream';
import type {
  AnyAuthMethod,
  Client,
  ConnectConfig,
  KeyboardInteractiveAuthMethod,
  ParsedKey,
  ServerHostKeyAlgorithm,
  utils,
} from 'ssh2';
import { judgeHostKey, knownKeyTypes } from './known-hosts';
import { connectionLost, hostKeyRefused, notConnected, notInTime } from './ssh-errors';
import type { SshRoute, SshTarget } from './ssh-target';

export interface SshConnection {
  readonly client: Client;
  /** Rejects once the connection is gone; never resolves. */
  readonly lost: Promise<never>;
  /** Also closes the connections that it is tunnelled through. */
  close(): void;
}

const keepAliveMs = 15_000;
const unansweredKeepAlives = 3;

/** Connects to the last host of the route, tunnelled through the others. Throws an `AppError`, or the abort reason. */
export async function connectSsh(route: SshRoute, signal: AbortSignal): Promise<SshConnection> {
  let before: SshConnection | undefined;
  try {
    for (const target of route) {
      const limit = AbortSignal.timeout(target.timeoutMs);
      const both = AbortSignal.any([signal, limit]);
      try {
        const sock = before === undefined ? undefined : await forward(before, target, both);
        before = withParent(await connect(target, sock, both), before);
      } catch (error) {
        if (limit.aborted && !signal.aborted) throw notInTime(target.timeoutMs);
        throw error;
      }
    }
  } catch (error) {
    before?.close();
    throw error;
  }
  // A route has at least one host.
  if (before === undefined) throw connectionLost();
  return before;
}

function withParent(connection: SshConnection, parent: SshConnection | undefined): SshConnection {
  if (parent === undefined) return connection;
  return {
    ...connection,
    close: () => {
      connection.close();
      parent.close();
    },
  };
}

async function connect(target: SshTarget, sock: Duplex | undefined, signal: AbortSignal): Promise<SshConnection> {
  signal.throwIfAborted();
  // Loaded on first use: most servers never open a connection.
  const { default: ssh2 } = await import('ssh2');
  const client = new ssh2.Client();
  const { config, refusal } = toConnectConfig(target, ssh2.utils.parseKey);
  let rejectLost: (error: unknown) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => (rejectLost = reject));
  // Users of the connection await it; without them a rejection would be unhandled.
  lost.catch(() => undefined);
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      client.destroy();
      reject(connectionLost(signal.reason));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const end = (error: unknown): void => {
      signal.removeEventListener('abort', onAbort);
      reject(refusal() ?? notConnected(error));
      rejectLost(connectionLost(error));
    };
    client.on('error', end);
    client.once('close', () => end(undefined));
    client.once('ready', () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    try {
      client.connect(sock === undefined ? config : { ...config, sock });
    } catch (error) {
      end(error);
    }
  });
  return { client, lost, close: () => client.destroy() };
}

type ParseKey = typeof utils.parseKey;

function toConnectConfig(target: SshTarget, parseKey: ParseKey) {
  const { host, port, user, password, timeoutMs, knownHosts } = target;
  let refused: Error | undefined;
  const config: ConnectConfig = {
    host,
    port,
    username: user,
    readyTimeout: timeoutMs,
    keepaliveInterval: keepAliveMs,
    keepaliveCountMax: unansweredKeepAlives,
    algorithms: { serverHostKey: signatures(target) },
    authHandler: signIns(target, parseKey),
    hostVerifier: (key: Buffer) => {
      if (knownHosts === undefined) return true;
      const verdict = judgeHostKey(knownHosts, target, key);
      if (verdict !== 'known') refused = hostKeyRefused(verdict);
      return verdict === 'known';
    },
    ...(password === undefined ? {} : { password }),
  };
  return { config, refusal: () => refused };
}

/** Keys first. The password authenticates, and decrypts keys that are protected by it. */
function signIns({ user: username, keys, password }: SshTarget, parseKey: ParseKey): AnyAuthMethod[] {
  const byKey = keys
    .map((text) => openKey(text, password, parseKey))
    .filter((key) => key !== undefined)
    .map((key) => ({ type: 'publickey', username, key }) as const);
  if (password === undefined) return byKey;
  const prompt: KeyboardInteractiveAuthMethod['prompt'] = (_name, _instructions, _language, prompts, finish) =>
    finish(prompts.map(() => password));
  return [...byKey, { type: 'password', username, password }, { type: 'keyboard-interactive', username, prompt }];
}

function openKey(text: string, password: string | undefined, parseKey: ParseKey): ParsedKey | undefined {
  const open = parseKey(text);
  const key = open instanceof Error && password !== undefined ? parseKey(text, password) : open;
  return key instanceof Error ? undefined : key;
}

/** Accepted signature algorithms of hosts, each with its key type. */
const signatureKinds: readonly (readonly [ServerHostKeyAlgorithm, key: string])[] = [
  ['ssh-ed25519', 'ssh-ed25519'],
  ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp256'],
  ['ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp384'],
  ['ecdsa-sha2-nistp521', 'ecdsa-sha2-nistp521'],
  ['rsa-sha2-512', 'ssh-rsa'],
  ['rsa-sha2-256', 'ssh-rsa'],
  ['ssh-rsa', 'ssh-rsa'],
];

/** A host presents one of its keys, so algorithms of known keys come first. */
function signatures({ knownHosts, ...name }: SshTarget): ServerHostKeyAlgorithm[] {
  const known = new Set(knownHosts === undefined ? [] : knownKeyTypes(knownHosts, name));
  const first = signatureKinds.filter(([, key]) => known.has(key));
  const others = signatureKinds.filter(([, key]) => !known.has(key));
  return [...first, ...others].map(([signature]) => signature);
}

function forward(through: SshConnection, { host, port }: SshTarget, signal: AbortSignal): Promise<Duplex> {
  const opened = new Promise<Duplex>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(connectionLost(signal.reason)), { once: true });
    through.client.forwardOut('127.0.0.1', 0, host, port, (error, channel) => {
      if (error) reject(notConnected(error));
      else resolve(channel);
    });
  });
  return Promise.race([opened, through.lost]);
}
