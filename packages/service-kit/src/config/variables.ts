import { AppError } from '@weir/foundation';
import { z } from 'zod';

/** One environment variable with its parser and its documentation. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly description: string;
  /** The default as the documentation shows it; a real default belongs into the schema. */
  readonly defaultText: string;
}

export type Variables = Readonly<Record<string, Variable>>;

export type VariableValues<V extends Variables> = { readonly [Name in keyof V]: z.output<V[Name]['schema']> };

/**
 * Reads and checks all variables at once. An empty text counts as not set.
 * Throws `invalid_request` (reason `config_invalid`) whose message lists every problem by variable name; values are
 * not repeated, since one of them may be a secret.
 */
export function readVariables<const V extends Variables>(
  variables: V,
  env: Readonly<Record<string, string | undefined>>,
): VariableValues<V> {
  const shape = Object.fromEntries(Object.entries(variables).map(([name, variable]) => [name, variable.schema]));
  const given = Object.fromEntries(
    Object.keys(variables).map((name) => [name, env[name] === '' ? undefined : env[name]]),
  );
  const result = z.object(shape).safeParse(given);
  // fromEntries loses which schema belongs to which name.
  if (result.success) return result.data as VariableValues<V>;
  const problems = result.error.issues.map((issue) => {
    const isMissing = issue.code !== 'custom' && given[String(issue.path[0])] === undefined;
    return `${issue.path.join('.')}: ${isMissing ? 'is not set, and has no default' : issue.message}`;
  });
  throw new AppError('invalid_request', `The configuration is not valid.\n${problems.join('\n')}`, {
    reason: 'config_invalid',
    details: { problems },
  });
}

/** The variables as a Markdown table, in the order of their definition. */
export function variableTable(variables: Variables): string {
  const rows = Object.entries(variables).map(
    ([name, variable]) => `| \`${name}\` | ${cell(variable.defaultText)} | ${cell(variable.description)} |`,
  );
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
}
