import { spawnSync } from 'node:child_process';

/** Whether this host lets its users make namespaces with bubblewrap, which specs cannot without. */
export const canIsolate = spawnSync('bwrap', ['--unshare-user', '--dev-bind', '/', '/', 'true']).status === 0;
