// `npm run setup`: everything that `npm start` and `npm test` need, and nothing else.
import { ensureAll } from './ensure.mjs';
import { runScript } from './run-script.mjs';

await runScript(async () => {
  const { node, version } = await ensureAll();
  process.stderr.write(`weir: ready, with Node ${version} (${node})\n`);
  return 0;
});
