import { randomBytes } from 'node:crypto';
import { AppError } from '@weir/foundation';
import { decrypt, encrypt, keyBytes, type MasterKey } from './master-key';

/** Encrypts texts for the database. Each text has a data key of its own, which the master key wraps. */
export interface Sealer {
  /** Returns the id of the key that encrypts. */
  currentKeyId(): Promise<string>;
  /** The purpose of the text is its `context`; another context cannot open it. */
  seal(text: string, context: string): Promise<Sealed>;
  /** Rejects with `unavailable`: reason `encryption_key_unknown` or `sealed_text_damaged`. */
  open(sealed: Sealed, context: string): Promise<string>;
}

export interface Sealed {
  readonly keyId: string;
  /** The wrapped data key and the encrypted text, in base64url. */
  readonly text: string;
}

/** The first key encrypts, the others only decrypt. The keys are loaded at the first use. */
export function createSealer(loadKeys: () => Promise<readonly [MasterKey, ...MasterKey[]]>): Sealer {
  let loading: ReturnType<typeof loadKeys> | undefined;
  const keys = async () => {
    loading ??= loadKeys();
    try {
      return await loading;
    } catch (error) {
      // A file that cannot be read now may be readable later.
      loading = undefined;
      throw error;
    }
  };
  return {
    currentKeyId: async () => (await keys())[0].id,
    seal: async (text, context) => {
      const [current] = await keys();
      const dataKey = randomBytes(keyBytes);
      const wrapped = Buffer.from(await current.wrap(dataKey));
      const encrypted = encrypt(dataKey, Buffer.from(text), context);
      return { keyId: current.id, text: `${wrapped.toString('base64url')}.${encrypted.toString('base64url')}` };
    },
    open: async ({ keyId, text }, context) => {
      const key = (await keys()).find(({ id }) => id === keyId);
      if (key === undefined) throw keyUnknown(keyId);
      try {
        const [wrapped = '', encrypted = ''] = text.split('.');
        const dataKey = await key.unwrap(Buffer.from(wrapped, 'base64url'));
        return decrypt(dataKey, Buffer.from(encrypted, 'base64url'), context).toString('utf8');
      } catch (cause) {
        throw new AppError('unavailable', 'A stored text cannot be decrypted: it was changed or belongs elsewhere.', {
          reason: 'sealed_text_damaged',
          cause,
        });
      }
    },
  };
}

function keyUnknown(id: string): AppError {
  return new AppError('unavailable', `This server does not have the key ${id}, with which a text was encrypted.`, {
    reason: 'encryption_key_unknown',
  });
}
