import type * as Argon2 from '@node-rs/argon2';

/** Hashing is slow on purpose; both functions run on the thread pool and leave the event loop free. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
}

export interface Argon2Cost {
  readonly memoryKib: number;
  readonly passes: number;
}

const argon2id = 2;

export function createArgon2Hasher({ memoryKib, passes }: Argon2Cost): PasswordHasher {
  const options = { algorithm: argon2id, memoryCost: memoryKib, timeCost: passes, parallelism: 1 };
  return {
    hash: async (password) => (await load()).hash(password, options),
    verify: async (passwordHash, password) => (await load()).verify(passwordHash, password),
  };
}

/** Loads native code, which most starts never need. */
function load(): Promise<typeof Argon2> {
  return import('@node-rs/argon2');
}

/** The second choice of OWASP's list: 19 MiB, two passes, one lane. */
export const argon2Hasher = createArgon2Hasher({ memoryKib: 19_456, passes: 2 });
