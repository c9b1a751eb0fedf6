import { isAppError } from '@weir/foundation';
import type { Logger } from '@weir/service-kit';
import type { Sealed, Sealer } from './sealer';

export interface SealedRow {
  readonly id: string;
  readonly context: string;
  readonly sealed: Sealed;
}

/** A table of which each row may hold one sealed text. */
export interface SealedRows {
  listSealed(): Promise<readonly SealedRow[]>;
  /** Replaces the encrypted text unless it has changed meanwhile. Returns whether it was replaced. */
  replaceSealed(row: SealedRow, sealed: Sealed): Promise<boolean>;
}

interface Ports {
  readonly sealer: Sealer;
  readonly logger: Logger;
}

/** Encrypts every text that is under an older key with the current one. Texts that cannot be opened are left and reported. */
export async function resealRows(tables: readonly SealedRows[], { sealer, logger }: Ports): Promise<void> {
  for (const table of tables) {
    const rows = await table.listSealed();
    // Without rows, no key is needed.
    const current = rows.length === 0 ? '' : await sealer.currentKeyId();
    for (const row of rows.filter(({ sealed }) => sealed.keyId !== current)) {
      try {
        const text = await sealer.open(row.sealed, row.context);
        await table.replaceSealed(row, await sealer.seal(text, row.context));
      } catch (error) {
        if (!isAppError(error)) throw error;
        logger.error({ key: row.sealed.keyId, context: row.context }, 'a stored text cannot be decrypted');
      }
    }
  }
}
