import baseX from 'base-x';

/** Writes the random bytes of a credential without characters that look alike. */
export const base58 = baseX('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
