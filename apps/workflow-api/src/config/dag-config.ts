import path from 'node:path';
import type { Variables, VariableValues } from '@weir/service-kit';
import { z } from 'zod';
import { flag, folderPath, type Folders } from './config-values';

/** Settings for the location of DAG files, and for the defaults that they inherit. */
export const dagVariables = {
  WEIR_DAGS_DIR: {
    schema: folderPath.optional(),
    defaultText: '`$WEIR_HOME/dags`',
    description: 'Folder of the DAG files.',
  },
  WEIR_BASE_CONFIG: {
    schema: folderPath.min(1).optional(),
    defaultText: '`$WEIR_HOME/base.yaml`',
    description: 'File of the base configuration, from which every DAG inherits. The default file may be missing.',
  },
  WEIR_DOCS_DIR: {
    schema: folderPath.optional(),
    defaultText: '`docs` in the folder of the DAG files',
    description: 'Folder of the Markdown documents.',
  },
  WEIR_SKIP_EXAMPLES: {
    schema: flag.default(false),
    defaultText: '`false`',
    description: 'With `true`, a new DAG folder gets no examples.',
  },
  WEIR_DAG_REVISIONS: {
    schema: z.coerce.number().int().min(1).max(10_000).default(100),
    defaultText: '`100`',
    description: 'How many revisions of a DAG are kept: 1 to 10000.',
  },
  WEIR_TZ: {
    schema: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin').optional(),
    defaultText: 'that of the process',
    description: 'Time zone of schedules that do not specify one.',
  },
} as const satisfies Variables;

export interface DagConfig {
  readonly dags: { readonly folder: string; readonly writeExamples: boolean };
  readonly revisions: { readonly maxRevisions: number };
  readonly docs: { readonly folder: string };
  /** The file is required when a setting names it. */
  readonly baseConfig: { readonly file: string; readonly isRequired: boolean };
  /** When `undefined`, the time zone of the process counts. */
  readonly timeZone: string | undefined;
}

export function readDagConfig(values: VariableValues<typeof dagVariables>, { home, absolute }: Folders): DagConfig {
  const dagsFolder = absolute(values.WEIR_DAGS_DIR ?? path.join(home, 'dags'));
  return {
    dags: { folder: dagsFolder, writeExamples: !values.WEIR_SKIP_EXAMPLES },
    revisions: { maxRevisions: values.WEIR_DAG_REVISIONS },
    docs: { folder: absolute(values.WEIR_DOCS_DIR ?? path.join(dagsFolder, 'docs')) },
    baseConfig: {
      file: absolute(values.WEIR_BASE_CONFIG ?? path.join(home, 'base.yaml')),
      isRequired: values.WEIR_BASE_CONFIG !== undefined,
    },
    timeZone: values.WEIR_TZ,
  };
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    // There is no other way to check: an unknown zone throws.
    return false;
  }
}
