// How npm is called: the very npm that runs this script when there is one, under the Node that the environment names.
import path from 'node:path';

const quiet = {
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_progress: 'false',
  npm_config_update_notifier: 'false',
};

/** `npm <args>` under `node`; the second form is for a script that was started without npm. */
export function npmCommand(node, args) {
  const cli = process.env.npm_execpath;
  if (cli && /npm-cli\.c?js$/.test(path.basename(cli))) return { file: node, args: [cli, ...args] };
  return { file: 'npm', args, shell: process.platform === 'win32' };
}

/**
 * The environment without what an outer `npm start` wrote for its own child, which would point the inner npm at the
 * wrong package, and with npm's chatter turned off. Settings of the person (registry, proxy, cache) stay.
 */
export function npmEnvironment(env) {
  const own = /^npm_(package_|lifecycle_|command$|config_(local_prefix|prefix|workspaces?|include_workspace_root)$)/;
  const kept = Object.entries(env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(kept), ...quiet };
}
