import { shape } from '../../shapes/shape';
import { report } from '../../source/yaml/yaml-value';
import { envName } from './env-name';

/** Variables about the run and the step: no entry of a DAG can set them. */
export const reservedEnvNames = [
  'DAG_NAME',
  'WEIR_DAG_NAME',
  'DAG_RUN_ID',
  'WEIR_RUN_ID',
  'DAG_RUN_LOG_FILE',
  'WEIR_RUN_LOG_FILE',
  'DAG_RUN_WORK_DIR',
  'WEIR_RUN_WORK_DIR',
  'DAG_RUN_ARTIFACTS_DIR',
  'WEIR_RUN_ARTIFACTS_DIR',
  'DAG_PARAMS_JSON',
  'DAGU_PARAMS_JSON',
  'WEIR_PARAMS_JSON',
  'DAG_RUN_STATUS',
  'WEIR_RUN_STATUS',
  'DAG_RUN_STEP_NAME',
  'WEIR_STEP_NAME',
  'DAG_RUN_STEP_STDOUT_FILE',
  'WEIR_STEP_STDOUT_FILE',
  'DAG_RUN_STEP_STDERR_FILE',
  'WEIR_STEP_STDERR_FILE',
  'DAGU_OUTPUT_FILE',
  'WEIR_OUTPUT_FILE',
  'WEIR_IDEMPOTENCY_KEY',
  'WEIR_REPEAT_INDEX',
  'WEIR_FENCING_TOKEN',
  'DAG_WAITING_STEPS',
  'WEIR_WAITING_STEPS',
  'DAG_PUSHBACK',
  'WEIR_PUSHBACK',
  'DAG_PUSHBACK_ITERATION',
  'WEIR_PUSHBACK_ITERATION',
  'DAG_PUSHBACK_PREVIOUS_STDOUT_FILE',
  'WEIR_PUSHBACK_PREVIOUS_STDOUT_FILE',
  'WEIR_PUSHBACK_COMMENT',
  'DAG_WIKI_DIR',
  'WEIR_WIKI_DIR',
  'WEBHOOK_PAYLOAD',
  'WEBHOOK_HEADERS',
  'WEIR_TRIGGER_FILE',
  'WEIR_TRIGGER_FILES',
  'WEIR_TRIGGER_EVENT',
] as const;

export type ReservedEnvName = (typeof reservedEnvNames)[number];

const reserved: ReadonlySet<string> = new Set(reservedEnvNames);

/** Explains why the name of an entry of `env` or of a secret is refused; undefined when it is allowed. */
export function reservedNameProblem(name: string): string | undefined {
  return reserved.has(name) ? `the variable "${name}" says something about the run and cannot be set` : undefined;
}

/** The name of a variable that is not reserved. */
export const settableEnvName = shape<string>(
  (value) => {
    const name = envName.read(value);
    const problem = name === undefined ? undefined : reservedNameProblem(name);
    if (problem === undefined) return name;
    report(value, 'reserved_env_name', problem);
    return undefined;
  },
  (book) => ({ ...envName.schema(book), not: { enum: reservedEnvNames } }),
);
