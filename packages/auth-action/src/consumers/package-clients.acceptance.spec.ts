import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunnerStep } from '@weir/actions-runner';
import { createTestAuthority, startConnectProxy, type ConnectProxy, type TestAuthority } from '@weir/fake-cloud';
import { describeUnless, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { action, checkOut, runJob, type JobEnd } from '../scenarios/testing/run-job';
import { federated, type Inputs } from '../scenarios/testing/run-in-process';
import { findPython } from './testing/consumer-steps';
import { startPackageRegistry, type PackageRegistry } from './testing/package-registry';

let authority: TestAuthority;
let folder: TemporaryFolder;
beforeEach(() => {
  authority = createTestAuthority();
  folder = temporaryFolder('weir-packages-');
});
afterEach(async () => {
  await authority.remove();
  await folder.remove();
});

interface PackageJob {
  readonly inputs: Inputs;
  readonly steps: readonly RunnerStep[];
  /** Files of the repository by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly prepare?: (proxy: ConnectProxy) => void;
}

/** Clients find the hosts through a proxy, and accept the certificate of an authority that only the job trusts. */
async function runPackageJob({ inputs, steps, files = {}, prepare }: PackageJob): Promise<{
  readonly end: JobEnd;
  readonly granted: readonly string[];
}> {
  let registry: PackageRegistry | undefined;
  let proxy: ConnectProxy | undefined;
  try {
    const end = await runJob({
      with: (fake) => federated(fake, inputs),
      prepare: (workspace) => {
        checkOut(workspace);
        for (const [name, text] of Object.entries(files)) writeFileSync(path.join(workspace, name), text);
      },
      around: async (fake) => {
        registry = await startPackageRegistry(authority, () => fake.tokens.ofKind('access token').at(-1)?.secret);
        const { port } = registry;
        proxy = await startConnectProxy({
          route: (host) => (host.endsWith('.pkg.dev') ? port : undefined),
          ca: authority,
        });
        prepare?.(proxy);
        return { ...proxy.env, SSL_CERT_FILE: authority.file, NO_PROXY: 'localhost,127.0.0.1' };
      },
      steps,
    });
    return { end, granted: registry?.granted ?? [] };
  } finally {
    await proxy?.stop();
    await registry?.stop();
  }
}

function expectSuccess(end: JobEnd): void {
  const { errors, leaked } = end;
  const logs = end.steps.slice(1).map(({ log }) => end.fake.tokens.redact(log));
  const outcomes = end.steps.map(({ outcome }) => outcome);
  expect({ errors, outcomes, logs }).toEqual({ errors: [], outcomes: outcomes.map(() => 'success'), logs });
  expect(leaked).toEqual([]);
  expect(end.leftovers.filter(({ path: file }) => file.includes('gha-tokens-'))).toEqual([]);
}

const run = (line: string, env: Readonly<Record<string, string>> = {}): RunnerStep => ({
  program: 'sh',
  args: ['-c', line],
  env,
});

function missingProgram(program: string, ask = '--version'): string | undefined {
  const { status } = spawnSync(program, [ask], { timeout: 60_000 });
  return status === 0 ? undefined : `${program} does not run`;
}

describeUnless(missingProgram('npm'), 'npm was not run')('npm', () => {
  it('finds packages of all scopes and of one', async () => {
    const { end, granted } = await runPackageJob({
      inputs: { npm_registries: 'https://europe-npm.pkg.dev/p/all/, @example=https://europe-npm.pkg.dev/p/r/' },
      steps: [
        run('npm view tool version && npm view @example/tool version', { npm_config_cache: folder.file('cache') }),
      ],
    });

    expectSuccess(end);
    expect(granted).toEqual(['europe-npm.pkg.dev /p/all/tool', 'europe-npm.pkg.dev /p/r/@example/tool']);
  }, 60_000);
});

const found = findPython();
const { missing } = found;
const python = found.missing === undefined ? found.python : '';
const inputs = { python_registries: 'https://europe-python.pkg.dev/p/r/simple/' };

describeUnless(missing, 'pip was not run')('pip', () => {
  it('finds packages in the index', async () => {
    const line = `"$PYTHON" -m pip --no-cache-dir index versions tool`;
    const env = { PYTHON: python, PIP_DISABLE_PIP_VERSION_CHECK: '1' };
    const { end, granted } = await runPackageJob({ inputs, steps: [run(line, env)] });

    expectSuccess(end);
    expect(granted).toEqual(['europe-python.pkg.dev /p/r/simple/tool/']);
    expect(end.steps.at(-1)?.log).toContain('1.2.3');
  }, 60_000);
});

/** The uv that other parts of this repository install. */
function findUv(): string | undefined {
  const runtime = path.resolve(action, '../../.runtime');
  const versions = existsSync(runtime) ? readdirSync(runtime).filter((name) => name.startsWith('uv-')) : [];
  return versions.map((name) => path.join(runtime, name, 'bin', 'uv')).find((file) => existsSync(file));
}

const uv = findUv();

describeUnless(uv === undefined ? 'it is not installed' : missing, 'uv was not run')('uv', () => {
  it.each([
    ['the default index', inputs],
    ['a further index', { python_registries: 'extra=https://europe-python.pkg.dev/p/r/simple/' }],
  ])(
    'resolves packages of %s',
    async (_, given) => {
      const env = { UV_CACHE_DIR: folder.file('uv'), UV_PYTHON_DOWNLOADS: 'never', UV_PYTHON: python };
      const { end, granted } = await runPackageJob({
        inputs: given,
        files: { 'requirements.in': 'tool\n' },
        steps: [run(`"${uv}" pip compile --no-header requirements.in`, env)],
      });

      expectSuccess(end);
      expect(granted).toContain('europe-python.pkg.dev /p/r/simple/tool/');
      expect(end.steps.at(-1)?.log).toContain('tool==1.2.3');
    },
    60_000,
  );
});

const pom = `<project><modelVersion>4.0.0</modelVersion>
<parent><groupId>example</groupId><artifactId>parent</artifactId><version>1</version><relativePath/></parent>
<artifactId>app</artifactId><packaging>pom</packaging>
<repositories>
<repository><id>packages</id><url>artifactregistry://elsewhere.example.com/p/r</url></repository>
</repositories>
</project>`;

describeUnless(missingProgram('mvn') ?? missingProgram('keytool', '-help'), 'Maven was not run')('Maven', () => {
  it('downloads from the registry, whatever the pom says, beside the settings of the user', async () => {
    const [settings, store] = [folder.file('user.xml'), folder.file('trust.p12')];
    const { end, granted } = await runPackageJob({
      inputs: { maven_registries: 'packages=https://europe-maven.pkg.dev/p/r' },
      files: { 'pom.xml': pom },
      prepare: ({ url }) => {
        const { hostname, port } = new URL(url);
        const proxies = ['http', 'https'].map(
          (protocol) =>
            `<proxy><id>${protocol}</id><protocol>${protocol}</protocol><host>${hostname}</host><port>${port}</port></proxy>`,
        );
        writeFileSync(settings, `<settings><proxies>${proxies.join('')}</proxies></settings>`);
        const trust = ['-importcert', '-noprompt', '-alias', 'test', '-file', authority.file];
        spawnSync('keytool', [...trust, '-keystore', store, '-storetype', 'PKCS12', '-storepass', 'changeit']);
      },
      // Before version 3.9, Maven does not read the variable.
      steps: [
        run(`mvn $MAVEN_ARGS --batch-mode --settings "${settings}" validate`, {
          MAVEN_OPTS: `-Djavax.net.ssl.trustStore=${store} -Djavax.net.ssl.trustStorePassword=changeit -Dmaven.repo.local=${folder.file('repository')}`,
        }),
      ],
    });

    expectSuccess(end);
    expect(granted).toEqual(['europe-maven.pkg.dev /p/r/example/parent/1/parent-1.pom']);
  }, 90_000);
});
