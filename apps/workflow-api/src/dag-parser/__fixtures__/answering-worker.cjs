// Speaks the messages of `parse-worker` without its code. The first word of the text says what to do.
const { parentPort, threadId } = require('node:worker_threads');

let parses = 0;

parentPort.on('message', ({ text, options }) => {
  parses += 1;
  const [word] = text.split(' ');
  if (word === 'exit') process.exit(3);
  if (word === 'throw') throw new Error('broken worker');
  if (word === 'hang') for (;;);
  // Up to the memory limit of the thread.
  if (word === 'grow') for (const kept = []; ;) kept.push(new Array(100_000).fill({ text }));
  // For as long as the flag is zero.
  if (word === 'wait') Atomics.wait(new Int32Array(options.gate), 0, 0);
  const dag = { name: options.name ?? '', description: JSON.stringify({ threadId, parses }) };
  parentPort.postMessage({ dag, localDags: [], findings: [] });
});
