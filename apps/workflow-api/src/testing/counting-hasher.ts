import { createArgon2Hasher, type PasswordHasher } from '../adapters/password-hasher';

export interface CountingHasher extends PasswordHasher {
  /** Returns how many passwords were checked so far. */
  readonly verifications: () => number;
}

/** Hashes with Argon2 at its lowest cost, and counts. */
export function createCountingHasher(): CountingHasher {
  const hasher = createArgon2Hasher({ memoryKib: 8, passes: 1 });
  let count = 0;
  return {
    hash: (password) => hasher.hash(password),
    verify: (passwordHash, password) => {
      count += 1;
      return hasher.verify(passwordHash, password);
    },
    verifications: () => count,
  };
}
