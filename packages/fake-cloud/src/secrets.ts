import { randomBytes } from 'node:crypto';
import type { FakeSecret, FakeSecretKind, FakeTokens } from './fake-cloud';

export interface FakeGrant {
  readonly principal: string;
  readonly scopes: readonly string[];
  readonly expiresAtSeconds: number;
}

export interface FakeSecrets extends FakeTokens {
  /** Issues an opaque token. */
  readonly issue: (kind: FakeSecretKind, grant: FakeGrant) => FakeSecret;
  /** Adds a secret with a given text, unless it is known. */
  readonly add: (kind: FakeSecretKind, secret: string, grant?: FakeGrant) => FakeSecret;
  readonly find: (secret: string) => FakeSecret | undefined;
  readonly revoke: (secret: string) => void;
}

// Shorter strings, such as a bearer token made up by a spec, may be in a log by chance.
const minSecretLength = 16;

const nothing: FakeGrant = { principal: '', scopes: [], expiresAtSeconds: 0 };

export function createFakeSecrets(): FakeSecrets {
  const known = new Map<string, FakeSecret>();
  const all = (): readonly FakeSecret[] => [...known.values()];
  const of = (kind: FakeSecretKind): readonly FakeSecret[] => all().filter((entry) => entry.kind === kind);

  const add = (kind: FakeSecretKind, secret: string, grant = nothing): FakeSecret => {
    const old = known.get(secret);
    if (old !== undefined) return old;
    const entry = { name: `<${kind} ${of(kind).length + 1}>`, kind, secret, ...grant, isRevoked: false };
    known.set(secret, entry);
    return entry;
  };

  return {
    all,
    ofKind: of,
    add,
    issue: (kind, grant) =>
      add(kind, `fake-${kind.replaceAll(' ', '-')}.${randomBytes(48).toString('base64url')}`, grant),
    find: (secret) => known.get(secret),
    revoke: (secret) => {
      const entry = known.get(secret);
      if (entry !== undefined) known.set(secret, { ...entry, isRevoked: true });
    },
    redact: (text) => {
      const longestFirst = all().toSorted((left, right) => right.secret.length - left.secret.length);
      return longestFirst.reduce(
        (rest, { secret, name }) => (secret === '' ? rest : rest.replaceAll(secret, name)),
        text,
      );
    },
    leaks: (text) =>
      all()
        .filter(({ secret }) => splitLines(secret).some((line) => containsSecret(line, text)))
        .map(({ name }) => name),
  };
}

function splitLines(secret: string): readonly string[] {
  return secret.split('\n').filter((line) => line.length >= minSecretLength && !line.startsWith('-----'));
}

function containsSecret(secret: string, text: string): boolean {
  return text.includes(secret) || base64Forms(secret).some((form) => text.includes(form));
}

/** The secret within longer base64 strings, which depends on its offset modulo 3. */
function base64Forms(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    // The first and the last characters share bits with adjacent bytes.
    const from = Math.ceil((offset * 8) / 6);
    const to = Math.floor((bytes.length * 8) / 6);
    return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
  });
}
