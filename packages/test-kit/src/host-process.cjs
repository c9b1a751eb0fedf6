// Executes command lines of a built program for specs, many in one process: see program-host.ts.
const { EventEmitter } = require('node:events');

const { runCommand } = require(process.argv[2]);

const signalsOf = new Map();

process.on('message', (message) => {
  if (message.signal === undefined) void execute(message);
  else signal(message);
});
process.once('disconnect', () => process.exit());

async function execute({ id, words, ...place }) {
  const signals = new EventEmitter();
  signalsOf.set(id, signals);
  const write = (stream) => (text) => process.send({ id, stream, text });
  const code = await runCommand(words, {
    ...place,
    signals,
    print: (text) => write('stdout')(`${text}\n`),
    printError: (text) => write('stderr')(`${text}\n`),
    logDestination: { write: write('stderr') },
    serverLogDestination: { write: write('stdout') },
  });
  signalsOf.delete(id);
  process.send({ id, code });
}

/** A program that says that it is up begins to listen for signals right after. */
function signal({ id, signal: name }) {
  const signals = signalsOf.get(id);
  if (signals === undefined) return;
  if (signals.listenerCount(name) > 0) signals.emit(name);
  else signals.once('newListener', () => setImmediate(() => signals.emit(name)));
}
