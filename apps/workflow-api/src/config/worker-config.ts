import { readFile } from 'node:fs/promises';
import { AppError, isLoopbackHost } from '@weir/foundation';
import { Secret, type Variables, type VariableValues } from '@weir/service-kit';
import type { WorkerLabels } from '@weir/workflow-engine/model';
import { z } from 'zod';
import type { Folders } from './config-values';

// Names follow the rules of worker_selector. Values end at a comma.
const labelPattern = /^([A-Za-z0-9][A-Za-z0-9_./-]{0,127})=(.{0,256})$/;

/** Parses labels such as `gpu=a100,region=eu`. */
const WorkerLabelList = z.string().transform((text, context): WorkerLabels => {
  const labels: Record<string, string> = {};
  for (const entry of text.split(',').flatMap((part) => part.trim() || [])) {
    const [, name, value = ''] = labelPattern.exec(entry) ?? [];
    if (name === undefined) {
      context.addIssue({ code: 'custom', message: 'must be comma-separated labels such as gpu=a100' });
    } else if (Object.hasOwn(labels, name)) {
      context.addIssue({ code: 'custom', message: `names the label ${name} twice` });
    } else labels[name] = value;
  }
  return labels;
});

/** Settings for the worker of a process, and for the number of runs that it executes. */
export const workerVariables = {
  WEIR_WORKER_LABELS: {
    schema: WorkerLabelList.default({}),
    defaultText: 'none',
    description:
      'Labels of the worker of this process, such as `gpu=a100,region=eu`: it executes the runs whose `worker_selector` they match.',
  },
  WEIR_WORKER_CONCURRENCY: {
    schema: z.coerce.number().int().min(1).max(1_000).default(50),
    defaultText: '`50`',
    description: 'Runs that the worker of this process executes at the same time, from 1 to 1,000.',
  },
  WEIR_WORKER_DRAIN_SECONDS: {
    schema: z.coerce.number().int().min(0).max(3_600).default(0),
    defaultText: '`0`',
    description:
      'How long a stopping worker lets its runs go on, claiming no others. Those that have not ended by then are given back, and another worker continues them.',
  },
  WEIR_SERVER_URL: {
    schema: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .refine((url) => !/[?#@]/.test(url), 'must be an address without an account, a query and a fragment')
      .refine(isProtected, 'must begin with https://, because it is sent the worker token; http:// is for this machine')
      .optional(),
    defaultText: 'none',
    description:
      'Address of the server, with its base path, for which `weir worker` executes runs without a database: `https://weir.example.com`.',
  },
  WEIR_WORKER_TOKEN: {
    schema: z.string().min(1).max(512).optional(),
    defaultText: 'none',
    description: 'The token of such a worker, as `weir worker-token create NAME --https` prints it.',
  },
  WEIR_WORKER_TOKEN_FILE: {
    schema: z.string().min(1).max(4096).optional(),
    defaultText: 'none',
    description: 'File with that token, instead of WEIR_WORKER_TOKEN.',
  },
} as const satisfies Variables;

export interface WorkerConfig {
  /** Missing for workers that share the database of their servers. */
  readonly server: { readonly url: string; readonly readToken: () => Promise<Secret> } | undefined;
  readonly worker: {
    readonly labels: Readonly<Record<string, string>>;
    readonly maxRuns: number;
    readonly drainMs: number;
  };
}

function isProtected(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopbackHost(hostname.replace(/^\[|\]$/g, ''));
}

export function readWorkerConfig(
  values: VariableValues<typeof workerVariables>,
  { absolute }: Pick<Folders, 'absolute'>,
): WorkerConfig {
  return {
    server: readServer(values, absolute),
    worker: {
      labels: values.WEIR_WORKER_LABELS,
      maxRuns: values.WEIR_WORKER_CONCURRENCY,
      drainMs: values.WEIR_WORKER_DRAIN_SECONDS * 1000,
    },
  };
}

function readServer(
  values: VariableValues<typeof workerVariables>,
  absolute: Folders['absolute'],
): WorkerConfig['server'] {
  const { WEIR_SERVER_URL: url, WEIR_WORKER_TOKEN: token, WEIR_WORKER_TOKEN_FILE: file } = values;
  if (url === undefined) {
    if (token === undefined && file === undefined) return undefined;
    throw new AppError('invalid_request', 'A worker token is for a server, which WEIR_SERVER_URL names.');
  }
  if ((token === undefined) === (file === undefined)) {
    throw new AppError('invalid_request', 'WEIR_SERVER_URL needs WEIR_WORKER_TOKEN or WEIR_WORKER_TOKEN_FILE.');
  }
  const readToken = async (): Promise<Secret> =>
    new Secret(token ?? (await readFile(absolute(file ?? ''), 'utf8')).trim());
  return { url: url.replace(/\/+$/, ''), readToken };
}
