// Tools are called by their own entry file: `node_modules/.bin` needs a shell on Windows and a PATH everywhere.
import { inWorkspace } from './workspace.mjs';

const entries = {
  nx: 'node_modules/nx/dist/bin/nx.js',
  prettier: 'node_modules/prettier/bin/prettier.cjs',
  knip: 'node_modules/knip/bin/knip.js',
};

const tool = (name, runtime, args) => ({ file: runtime.node, args: [inWorkspace(entries[name]), ...args] });

export const nxCommand = (runtime, args) => tool('nx', runtime, args);
export const prettierCommand = (runtime, args) => tool('prettier', runtime, args);
export const knipCommand = (runtime, args) => tool('knip', runtime, args);
export const scriptCommand = (runtime, args) => ({ file: runtime.node, args });
