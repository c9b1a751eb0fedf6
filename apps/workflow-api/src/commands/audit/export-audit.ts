import { AppError } from '@weir/foundation';
import { AuditEntry } from '@weir/workflow-contract/schemas';
import type { StoreCommand } from '../shared/program-host';
import { withApi } from '../shared/with-api';
import { readAuditPart } from './read-audit-part';

const partSize = 1_000;

/** Prints the entries after a position. Returns the exit code. */
export async function exportAudit(options: StoreCommand & { readonly after: string }): Promise<number> {
  const { after, print } = options;
  if (!/^\d{1,10}$/.test(after)) {
    throw new AppError('invalid_request', '--after needs a position.', { reason: 'request_invalid' });
  }
  await withApi(options, async (client) => {
    let position = Number(after);
    for (;;) {
      const lines = await readAuditPart(client, position, partSize);
      const last = lines.at(-1);
      if (last === undefined) return;
      print(lines.join('\n'));
      ({ position } = AuditEntry.pick({ position: true }).parse(JSON.parse(last)));
    }
  });
  return 0;
}
