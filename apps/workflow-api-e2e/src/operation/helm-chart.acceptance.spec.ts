import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeUnless, temporaryFolder } from '@weir/test-kit';
import Ajv from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { readVariableNames } from '../support/configuration-names';
import { callHelm, chart, missingHelm } from '../support/helm';

interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly replicas: number;
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly automountServiceAccountToken: boolean;
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly Container[];
        readonly volumes: readonly Readonly<Record<string, unknown>>[];
      };
    };
  };
}

const guide = readFileSync(path.resolve(chart, '../../../docs/how-to/run-on-kubernetes.md'), 'utf8');
const read = (file: string): string => readFileSync(path.join(chart, file), 'utf8');
const known = readVariableNames();

describe('the chart', () => {
  const validate = new Ajv({ strict: false }).compile(
    JSON.parse(
      read('values.schema.json').replace(
        'https://json-schema.org/draft-07/schema#',
        'http://json-schema.org/draft-07/schema#',
      ),
    ) as object,
  );
  const values = parse(read('values.yaml')) as { readonly store: object };

  it('has values that its schema describes, except for the missing bucket', () => {
    expect(validate({ ...values, store: { ...values.store, url: 's3://weir/production' } })).toBe(true);
    expect(validate(values)).toBe(false);
    expect(validate.errors).toMatchObject([{ instancePath: '/store/url' }]);
  });

  it('sets only variables that the processes read', () => {
    const texts = readdirSync(path.join(chart, 'templates')).map((name) => read(`templates/${name}`));
    const set = texts.flatMap((text) => text.match(/WEIR_[A-Z0-9_]+/g) ?? []);

    expect(set.length).toBeGreaterThan(8);
    expect(set.filter((name) => !known.has(name))).toEqual([]);
  });
});

it('the service account of the guide may do with jobs what kubernetes.run does, in their namespace only', () => {
  const [, text = ''] = /^```yaml\n(.*?)^```$/ms.exec(guide) ?? [];
  const [account, role, binding] = parseAllDocuments(text).map((document) => document.toJS() as object);
  const name = 'weir-jobs';

  expect(account).toMatchObject({ kind: 'ServiceAccount', metadata: { name } });
  expect(role).toMatchObject({
    metadata: { name, namespace: 'jobs' },
    rules: [
      { apiGroups: ['batch'], resources: ['jobs'], verbs: ['create', 'get', 'list', 'patch', 'delete'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
      { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
    ],
  });
  expect(binding).toMatchObject({ metadata: { namespace: 'jobs' }, roleRef: { name }, subjects: [{ name }] });
});

describeUnless(missingHelm, 'the chart was not rendered')('the rendered chart', () => {
  const settings = [
    ...['--set', 'store.url=s3://weir', '--set', 'ingress.enabled=true,ingress.host=weir.example'],
    ...['--set', 'workers.gpu.replicas=1,workers.gpu.labels.gpu=a100,workers.gpu.drainSeconds=600'],
    ...['--set-string', 'dags.nightly\\.yaml=steps: []'],
  ];
  const render = (...more: readonly string[]) => callHelm('template', 'w', chart, '--kube-version', '1.31.0', ...more);
  const manifests = (): readonly Manifest[] =>
    parseAllDocuments(render(...settings).output).map((document) => document.toJS() as Manifest);
  const deployments = () => manifests().filter(({ kind }) => kind === 'Deployment');

  it('passes the checks of Helm', () => {
    expect(callHelm('lint', chart, '--strict', '--set', 'store.url=s3://weir')).toMatchObject({ code: 0 });
  });

  it('is refused without a bucket, and with unknown values', () => {
    expect(render().output).toContain('/store/url');
    expect(render(...settings, '--set', 'server.replica=3').output).toContain("additional properties 'replica'");
  });

  it('has a deployment for servers, schedulers and each kind of worker', () => {
    const found = deployments().map(({ metadata, spec }) => [
      metadata.name,
      spec.replicas,
      spec.template.spec.containers[0]?.args,
    ]);

    expect(found.toSorted()).toEqual([
      ['w-scheduler', 2, ['scheduler']],
      ['w-server', 2, ['server']],
      ['w-worker-default', 2, ['worker']],
      ['w-worker-gpu', 1, ['worker']],
    ]);
    for (const { spec } of deployments())
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
  });

  it('configures each process, secrets by reference, and shares no writable volume', () => {
    for (const { spec } of deployments()) {
      const { containers, volumes } = spec.template.spec;
      const env = containers[0]?.env ?? [];
      expect(env.map(({ name }) => name)).toEqual(expect.arrayContaining(['WEIR_DATABASE_URL', 'WEIR_STORE_URL']));
      for (const { name, value } of env) if (/SECRET|DATABASE|ACCESS_KEY/.test(name)) expect(value).toBeUndefined();
      expect(volumes.map((volume) => Object.keys(volume).toSorted())).toEqual([
        ['emptyDir', 'name'],
        ['configMap', 'name'],
      ]);
    }
  });

  it('gives the token of the service account to the workers that ask for it, and to no other pod', () => {
    const { output } = render(...settings, '--set', 'workers.gpu.mountServiceAccountToken=true');
    const mounting = parseAllDocuments(output)
      .map((document) => document.toJS() as Manifest)
      .filter(({ kind, spec }) => kind === 'Deployment' && spec.template.spec.automountServiceAccountToken);

    expect(mounting.map(({ metadata }) => metadata.name)).toEqual(['w-worker-gpu']);
    expect(deployments().map(({ spec }) => spec.template.spec.automountServiceAccountToken)).not.toContain(true);
  });

  it('is installed by the command of the guide', async () => {
    const [, flags = ''] = /^helm install weir deploy\/helm\/weir (.*?)^```$/ms.exec(guide) ?? [];
    const folder = temporaryFolder();
    writeFileSync(folder.file('nightly.yaml'), 'steps: []');
    const words = flags
      .replaceAll(/[\\\n](?!\.)/g, ' ')
      .replaceAll("'", '')
      .trim()
      .split(/ +/);
    const { code, output } = callHelm(
      ...['template', 'weir', chart, '--kube-version', '1.31.0'],
      ...words.map((word) => word.replace('=nightly.yaml', `=${folder.file('nightly.yaml')}`)),
    );
    await folder.remove();

    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringContaining('"nightly.yaml": "steps: []"') as string,
    });
    expect(output.match(/serviceAccountName: weir-jobs/g)).toHaveLength(3);
    expect(output.match(/automountServiceAccountToken: true/g)).toHaveLength(1);
  });

  it('lets the runs of a worker continue for the time that it may drain', () => {
    const gpu = deployments().find(({ metadata }) => metadata.name === 'w-worker-gpu')?.spec.template.spec;

    expect(gpu?.terminationGracePeriodSeconds).toBeGreaterThan(600);
    expect(gpu?.containers[0]?.env).toEqual(
      expect.arrayContaining([
        { name: 'WEIR_WORKER_LABELS', value: 'gpu=a100' },
        { name: 'WEIR_WORKER_DRAIN_SECONDS', value: '600' },
      ]),
    );
  });
});
