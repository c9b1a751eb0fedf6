// Programs that proofs start and no registry has built: Helm for the chart; for compose.yaml, compose and the store of
// objects. `go-programs.mjs [name…]` builds them by Go into `.runtime/go`, in minutes, so only `.ci/run` calls it.
import { spawnSync } from 'node:child_process';
import { inWorkspace } from './ensure.mjs';

/** By name: the module with its version, and the folder of the program in it. */
const programs = {
  helm: ['helm.sh/helm/v3@v3.19.0', 'cmd/helm'],
  'docker-compose': ['github.com/docker/compose/v2@v2.40.3', 'cmd'],
  minio: ['github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c', '.'],
  mc: ['github.com/minio/mc@v0.0.0-20250313080218-cf909e1063a9', '.'],
};

/** Not `go install`, which refuses modules that leave out versions of others. */
function build(name) {
  const [module, folder] = programs[name] ?? [];
  if (module === undefined) throw new Error(`${name} is none of ${Object.keys(programs).join(', ')}`);
  const { Dir: source } = JSON.parse(go(['mod', 'download', '-json', module], 'pipe'));
  go(['build', '-C', source, '-ldflags=-s', '-o', inWorkspace(`.runtime/go/${name}`), `./${folder}`], 'inherit');
}

function go(args, stdout) {
  const env = { ...process.env, CGO_ENABLED: '0' };
  const result = spawnSync('go', args, {
    env,
    stdio: ['ignore', stdout, 'inherit'],
    encoding: 'utf8',
    timeout: 900_000,
  });
  if (result.error !== undefined) throw new Error(`Go could not be started: ${result.error.message}`);
  if (result.status !== 0)
    throw new Error(`go ${args.slice(0, 2).join(' ')} ended with ${result.status ?? result.signal}`);
  return result.stdout;
}

const names = process.argv.slice(2);
try {
  for (const name of names.length > 0 ? names : Object.keys(programs)) build(name);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
