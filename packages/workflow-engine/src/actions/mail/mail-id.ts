/** Where a mail is. Valid while it stays in its folder and the folder keeps its UIDVALIDITY. */
export interface MailPlace {
  readonly folder: string;
  readonly uidValidity: string;
  readonly uid: number;
}

const maxLength = 4_096;

/** The opaque ID of a mail in its account. */
export function formatMailId({ folder, uidValidity, uid }: MailPlace): string {
  return Buffer.from(JSON.stringify([folder, uidValidity, uid])).toString('base64url');
}

/** `undefined` for a text that is no ID. */
export function parseMailId(id: string): MailPlace | undefined {
  if (id.length > maxLength || !/^[\w-]+$/.test(id)) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(id, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 3) return undefined;
  const [folder, uidValidity, uid] = parts as readonly unknown[];
  const isPlace =
    typeof folder === 'string' &&
    folder !== '' &&
    typeof uidValidity === 'string' &&
    /^\d{1,20}$/.test(uidValidity) &&
    typeof uid === 'number' &&
    Number.isSafeInteger(uid) &&
    uid > 0;
  return isPlace ? { folder, uidValidity, uid } : undefined;
}
