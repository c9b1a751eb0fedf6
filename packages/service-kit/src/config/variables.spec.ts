import { isAppError } from '@weir/foundation';
import { z } from 'zod';
import { readVariables, variableTable, type Variables } from './variables';

const variables = {
  WEIR_PORT: {
    schema: z.coerce.number().int().min(0).max(65_535).default(8080),
    description: 'Port to listen on.',
    defaultText: '8080',
  },
  WEIR_AUTH_MODE: {
    schema: z.enum(['builtin', 'none']).default('builtin'),
    description: 'How callers sign in: builtin | none.',
    defaultText: 'builtin',
  },
  WEIR_SECRET: { schema: z.string().min(16), description: 'Signing\nsecret.', defaultText: 'none' },
  WEIR_ROLE: { schema: z.enum(['admin', 'viewer']), description: 'Role.', defaultText: 'none' },
  WEIR_WORKERS: { schema: z.coerce.number(), description: 'Workers.', defaultText: 'none' },
} satisfies Variables;

const valid = { WEIR_SECRET: 'x'.repeat(16), WEIR_ROLE: 'viewer', WEIR_WORKERS: '3' };

function catchFailure(env: Record<string, string | undefined>): unknown {
  try {
    return readVariables(variables, env);
  } catch (error) {
    return error;
  }
}

describe('readVariables', () => {
  it('reads each text by its schema and fills in defaults', () => {
    expect(readVariables(variables, { ...valid, WEIR_PORT: '0', UNRELATED: 'x' })).toEqual({
      WEIR_PORT: 0,
      WEIR_AUTH_MODE: 'builtin',
      WEIR_SECRET: 'x'.repeat(16),
      WEIR_ROLE: 'viewer',
      WEIR_WORKERS: 3,
    });
  });

  it('treats an empty text as not set', () => {
    expect(readVariables(variables, { ...valid, WEIR_PORT: '', WEIR_AUTH_MODE: '' })).toMatchObject({
      WEIR_PORT: 8080,
      WEIR_AUTH_MODE: 'builtin',
    });
  });

  it('reports every problem at once by name, without the values', () => {
    const error = catchFailure({
      WEIR_PORT: 'hunter2',
      WEIR_AUTH_MODE: 'hunter2',
      WEIR_SECRET: 'hunter2',
      WEIR_ROLE: '',
    });

    expect(isAppError(error) && error).toMatchObject({
      code: 'invalid_request',
      reason: 'config_invalid',
      details: {
        problems: [
          expect.stringMatching(/^WEIR_PORT: /) as string,
          expect.stringMatching(/^WEIR_AUTH_MODE: .*builtin/) as string,
          expect.stringMatching(/^WEIR_SECRET: .*16/) as string,
          'WEIR_ROLE: is not set, and has no default',
          'WEIR_WORKERS: is not set, and has no default',
        ],
      },
    });
    const { message, details } = error as { message: string; details: { problems: string[] } };
    expect(message).not.toContain('hunter2');
    expect(message.split('\n').slice(1)).toEqual(details.problems);
  });
});

describe('variableTable', () => {
  it('lists the variables in order, one row each', () => {
    const { WEIR_PORT, WEIR_AUTH_MODE, WEIR_SECRET } = variables;

    expect(variableTable({ WEIR_PORT, WEIR_AUTH_MODE, WEIR_SECRET })).toBe(
      [
        '| Variable | Default | Meaning |',
        '| --- | --- | --- |',
        '| `WEIR_PORT` | 8080 | Port to listen on. |',
        String.raw`| ${'`WEIR_AUTH_MODE`'} | builtin | How callers sign in: builtin \| none. |`,
        '| `WEIR_SECRET` | none | Signing secret. |',
      ].join('\n'),
    );
  });
});
