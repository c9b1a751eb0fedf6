import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Encrypts data keys. The key of a key management service never leaves the service; `createLocalKey` keeps one in memory. */
export interface MasterKey {
  /** The id is stored beside the encrypted text and reveals nothing of the key. */
  readonly id: string;
  wrap(dataKey: Uint8Array): Promise<Uint8Array>;
  /** Rejects data that this key has not wrapped. */
  unwrap(wrapped: Uint8Array): Promise<Uint8Array>;
}

export const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const wrapContext = 'weir data key';

/** Takes a key of 32 bytes. */
export function createLocalKey(key: Uint8Array): MasterKey {
  return {
    id: createHash('sha256').update('weir key id\0').update(key).digest('hex').slice(0, 16),
    wrap: (dataKey) => Promise.resolve(encrypt(key, dataKey, wrapContext)),
    // The function is async, so that a refusal is a rejection.
    unwrap: async (wrapped) => Promise.resolve(decrypt(key, wrapped, wrapContext)),
  };
}

/** Encrypts with AES-256-GCM under a random nonce, and joins nonce, tag and text. Decryption needs the same `context`. */
export function encrypt(key: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** Throws for another key, another context, or a changed byte. */
export function decrypt(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  const [nonce, tag, text] = [
    sealed.subarray(0, nonceBytes),
    sealed.subarray(nonceBytes, nonceBytes + tagBytes),
    sealed.subarray(nonceBytes + tagBytes),
  ];
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]);
}
