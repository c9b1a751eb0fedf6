import { isAppError } from '@weir/foundation';
import type { SessionCookie } from '@weir/service-kit';
import type { Sealer } from '../../encryption';

export interface SealedCookieOptions {
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
  readonly name: string;
  readonly path: string;
  readonly sameSite: 'lax' | 'strict';
  /** A text sealed for another purpose cannot be read. */
  readonly purpose: string;
}

/** Data of this server that a browser keeps and cannot read. */
export interface SealedCookie {
  readonly name: string;
  write(text: string, expires: Date): Promise<SessionCookie>;
  /** Returns the text of a cookie; `undefined` for one that this server did not write for this purpose. */
  read(cookie: string | undefined): Promise<string | undefined>;
  /** Returns a cookie that removes the one of the browser. */
  expired(): SessionCookie;
}

const maxLength = 6000;

/** Browsers drop cookies of more than 4096 characters, with their names and attributes. */
export const maxSealedLength = 3800;

export function createSealedCookie({ sealer, name, path, sameSite, purpose }: SealedCookieOptions): SealedCookie {
  return {
    name,
    async write(text, expires) {
      const sealed = await sealer.seal(text, purpose);
      return { name, value: `${sealed.keyId}.${sealed.text}`, path, expires, sameSite };
    },
    async read(cookie) {
      if (cookie === undefined || cookie === '' || cookie.length > maxLength) return undefined;
      const [keyId = '', wrapped = '', encrypted = ''] = cookie.split('.');
      try {
        return await sealer.open({ keyId, text: `${wrapped}.${encrypted}` }, purpose);
      } catch (error) {
        if (isAppError(error) && ['encryption_key_unknown', 'sealed_text_damaged'].includes(error.reason ?? ''))
          return undefined;
        throw error;
      }
    },
    expired: () => ({ name, value: '', path, expires: new Date(0), sameSite }),
  };
}
