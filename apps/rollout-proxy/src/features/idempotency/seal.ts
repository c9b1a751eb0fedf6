import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface Seal {
  seal(value: unknown): string;
  /** `undefined` for a value that was sealed with another key. */
  open(sealed: string): unknown;
}

const ivBytes = 12;
const tagBytes = 16;

/** Encrypts stored answers with the admin key: they may contain session keys, which are never stored in the clear. */
export function createSeal(adminKey: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', adminKey, 'weir-rollout', 'idempotent-answers', 32));
  return {
    seal: (value) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open: (text) => {
      const bytes = Buffer.from(text, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      try {
        const opened = [decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()];
        return JSON.parse(Buffer.concat(opened).toString('utf8')) as unknown;
      } catch {
        // Sealed before the admin key was changed. The answer is treated as expired.
        return undefined;
      }
    },
  };
}
