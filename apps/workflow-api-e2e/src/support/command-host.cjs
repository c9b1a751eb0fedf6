// Executes commands of the built program for the specs, many in one process: see weir-command.ts.
const { EventEmitter } = require('node:events');

const { runCommand } = require(process.argv[2]);

process.on('message', async ({ id, words, ...place }) => {
  const written = { stdout: '', stderr: '' };
  const code = await runCommand(words, {
    ...place,
    // Specs about signals start a process of their own.
    signals: new EventEmitter(),
    print: (text) => (written.stdout += `${text}\n`),
    printError: (text) => (written.stderr += `${text}\n`),
    logDestination: { write: (line) => (written.stderr += line) },
  });
  process.send({ id, code, ...written });
});
process.once('disconnect', () => process.exit());
