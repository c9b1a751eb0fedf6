// `npm test [-- <project …> [Jest options …]]`: the specs of all projects, or of those named, in one Jest.
import { ensureBuilt, inWorkspace, run } from './ensure.mjs';

const args = process.argv.slice(2);
const end = [...args, '-'].findIndex((arg) => arg.startsWith('-'));
const selection = end > 0 ? ['--selectProjects', ...args.slice(0, end)] : [];

const { node, env } = await ensureBuilt();
const jest = [inWorkspace('node_modules/jest/bin/jest.js'), ...selection, ...args.slice(end)];
process.exitCode = await run(node, jest, { env });
