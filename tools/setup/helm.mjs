// Helm, built by Go into `.runtime`, to check the chart in deploy/helm. The build takes minutes, so no other script
// calls it.
import { spawnSync } from 'node:child_process';
import { inWorkspace } from './ensure.mjs';

const module = 'helm.sh/helm/v3/cmd/helm@v3.19.0';
const env = { ...process.env, GOBIN: inWorkspace('.runtime/helm') };
const { status, error } = spawnSync('go', ['install', module], { env, stdio: 'inherit' });
if (error !== undefined) process.stderr.write(`Go is needed to build Helm: ${error.message}\n`);
process.exitCode = status ?? 1;
