import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describeUnless } from '@weir/test-kit';
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
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly Container[];
        readonly volumes: readonly Readonly<Record<string, unknown>>[];
      };
    };
  };
}

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
