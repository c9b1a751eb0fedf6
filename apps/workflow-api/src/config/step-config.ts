import type { Variables, VariableValues } from '@weir/service-kit';
import type { LogLimits } from '@weir/workflow-engine/model';
import { splitShell } from '@weir/workflow-spec/values';
import { z } from 'zod';

/** Settings for the processes of steps. */
export const stepVariables = {
  WEIR_DEFAULT_SHELL: {
    schema: z.string().trim().min(1).max(4096).transform(readShell).optional(),
    defaultText: '`$SHELL`, else `sh`',
    description: 'Shell of DAGs and steps that do not specify one, with its arguments: `bash -u`.',
  },
  WEIR_ENV_PASSTHROUGH: {
    schema: variableList((name) => name.startsWith('WEIR_')),
    defaultText: 'none',
    description: "Names of additional variables of the server's environment that steps can read, separated by commas.",
  },
  WEIR_ENV_PASSTHROUGH_PREFIXES: {
    schema: variableList((prefix) => prefix.startsWith('WEIR_') || 'WEIR_'.startsWith(prefix)),
    defaultText: 'none',
    description: 'The same for all variables with these prefixes, such as `AWS_,GIT_`.',
  },
  WEIR_STEP_ISOLATION: {
    schema: z.enum(['auto', 'off', 'required'], 'must be auto, off or required').default('auto'),
    defaultText: '`auto`',
    description:
      '`auto` keeps the processes of steps from the secrets of the server and from other runs where the host allows it; `required` refuses to start where it does not.',
  },
  WEIR_STEP_LOG_LIMIT_MIB: {
    schema: z.coerce.number().int().min(1).max(1_048_576).default(1024),
    defaultText: '`1024`',
    description: 'Size of each log of a step in MiB, after which its output is dropped.',
  },
  WEIR_RUN_LOG_LIMIT_MIB: {
    schema: z.coerce.number().int().min(1).max(16_777_216).default(10_240),
    defaultText: '`10240`',
    description: 'Size of all logs of the steps of a run together in MiB, after which their output is dropped.',
  },
  WEIR_STEP_LOG_LIMIT_ACTION: {
    schema: z.enum(['drop', 'fail']).default('drop'),
    defaultText: '`drop`',
    description: '`fail` ends and fails a step that writes more than these limits allow.',
  },
} as const satisfies Variables;

export interface StepConfig {
  readonly steps: {
    /** When `undefined`, the shell of the user is used, else `sh`. */
    readonly defaultShell: readonly string[] | undefined;
    readonly passthrough: { readonly names: readonly string[]; readonly prefixes: readonly string[] };
    readonly logLimits: LogLimits;
    readonly isolationMode: 'auto' | 'off' | 'required';
  };
}

export function readStepConfig(values: VariableValues<typeof stepVariables>): StepConfig {
  return {
    steps: {
      defaultShell: values.WEIR_DEFAULT_SHELL,
      passthrough: { names: values.WEIR_ENV_PASSTHROUGH, prefixes: values.WEIR_ENV_PASSTHROUGH_PREFIXES },
      isolationMode: values.WEIR_STEP_ISOLATION,
      logLimits: {
        maxBytes: values.WEIR_STEP_LOG_LIMIT_MIB * 1_048_576,
        maxRunBytes: values.WEIR_RUN_LOG_LIMIT_MIB * 1_048_576,
        onExceeded: values.WEIR_STEP_LOG_LIMIT_ACTION,
      },
    },
  };
}

function readShell(text: string, context: z.RefinementCtx): readonly string[] {
  const words = splitShell(text);
  if (words === undefined) context.addIssue({ code: 'custom', message: 'has a quote that is not closed' });
  return words ?? [];
}

/** Parses names, or prefixes of names, of variables; none of them may pass on a setting of the server. */
function variableList(isServers: (entry: string) => boolean) {
  return z
    .string()
    .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
    .pipe(
      z.array(
        z
          .string()
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be comma-separated names of letters, digits and underscores')
          .refine((entry) => !isServers(entry), 'must not let variables that begin with WEIR_ through'),
      ),
    )
    .default([]);
}
