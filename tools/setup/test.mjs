// `npm test [-- <project …> [Jest options …]]`: the specs of all projects, or of those named, in one Jest.
import { ensureBuilt, inWorkspace, run } from './ensure.mjs';

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('-'));
const projects = args.slice(0, firstOption < 0 ? args.length : firstOption);
const selection = projects.length > 0 ? ['--selectProjects', ...projects] : [];

const { node, env } = await ensureBuilt();
const jest = [inWorkspace('node_modules/jest/bin/jest.js'), ...selection, ...args.slice(projects.length)];
process.exitCode = await run(node, jest, { env });
