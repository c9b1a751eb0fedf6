import { parentPort } from 'node:worker_threads';
import { CodeCache } from './code-cache';
import { createPrinter, type Printer } from './printer';
import { createRealm, type Realm } from './realm';
import { runInRealm, thrownText, type Codes } from './run-in-realm';
import type { ThreadMessage, ThreadRequest } from './thread-messages';

const maxCodeLength = 8_388_608;

const codes: Codes = new CodeCache(maxCodeLength);
// The realm is created in advance, because creation takes longer than a light call.
let spare: Realm | undefined = createRealm();
let current: Printer | undefined;

const post = (message: ThreadMessage): void => parentPort?.postMessage(message);

// An unhandled rejection must not end the thread.
process.on('unhandledRejection', (reason) => current?.print('stderr', [`Not caught: ${safeText(reason)}`]));

parentPort?.on('message', (request: ThreadRequest) => void execute(request));

async function execute(request: ThreadRequest): Promise<void> {
  const realm = spare ?? createRealm();
  spare = undefined;
  const printer = createPrinter((printed) => post({ kind: 'printed', printed }), request.maxBytes, Date.now);
  current = printer;
  // The standard output of a body is what it returns.
  realm.printTo(request.form === 'body' ? (_, values) => printer.print('stderr', values) : printer.print);
  const result = await runInRealm(request, realm, codes);
  printer.close();
  post({ kind: 'result', result });
  // The next call starts in a later tick, after everything that the function left in the microtask queue.
  setImmediate(() => {
    current = undefined;
    spare = createRealm();
    post({ kind: 'ready' });
  });
}

function safeText(reason: unknown): string {
  try {
    return thrownText(reason);
  } catch {
    return 'something that cannot be shown';
  }
}
