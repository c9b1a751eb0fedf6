import type { Variables, VariableValues } from '@weir/service-kit';
import type { WorkerLabels } from '@weir/workflow-engine/model';
import { z } from 'zod';

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
} as const satisfies Variables;

export interface WorkerConfig {
  readonly worker: {
    readonly labels: Readonly<Record<string, string>>;
    readonly maxRuns: number;
    readonly drainMs: number;
  };
}

export function readWorkerConfig(values: VariableValues<typeof workerVariables>): WorkerConfig {
  return {
    worker: {
      labels: values.WEIR_WORKER_LABELS,
      maxRuns: values.WEIR_WORKER_CONCURRENCY,
      drainMs: values.WEIR_WORKER_DRAIN_SECONDS * 1000,
    },
  };
}
