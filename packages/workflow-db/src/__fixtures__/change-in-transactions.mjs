// Reads a row and writes it back, one higher, in `count` transactions. Prints "ready", waits until the start file is
// there, so that several of these begin together, and prints how many transactions failed.
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '@weir/workflow-db';

const [url, startFile, count] = process.argv.slice(2);
const { db, close } = await createDatabase({ url });
process.stdout.write('ready\n');
while (!existsSync(startFile)) await delay(2);

const id = 'user-1';
let failed = 0;
for (let index = 0; index < Number(count); index += 1) {
  try {
    await db.$transaction(async (transaction) => {
      const { tokenVersion } = await transaction.user.findUniqueOrThrow({ where: { id } });
      await transaction.user.update({ where: { id }, data: { tokenVersion: tokenVersion + 1 } });
    });
  } catch (error) {
    failed += 1;
    process.stderr.write(`${error}\n`);
  }
}
await close();
process.stdout.write(`failed=${failed}\n`);
