import type { ListFormat } from '../shared/formats';
import type { NamedContext } from '../shared/context-file';
import { printList } from '../shared/print-list';
import type { StoreCommand } from '../shared/program-host';
import { formatTable } from '../shared/table';
import { withApi } from '../shared/with-api';

export interface ShowContextOptions extends StoreCommand {
  readonly context: NamedContext;
  readonly format: ListFormat;
}

/**
 * Prints the server of a context, the user of its API key, and what the API tells that user of the settings of the
 * server; never the key. Returns the exit code.
 */
export async function showContextConfig(options: ShowContextOptions): Promise<number> {
  const { name, url, apiKey } = options.context;
  const value = await withApi(options, async (client) => {
    const { version, roles = [], stepIsolation } = (await client.GET('/health')).data;
    const { mode, providers } = (await client.GET('/auth/state')).data;
    const { role, operations } = (await client.GET('/permissions')).data;
    const username = mode === 'none' ? undefined : (await client.GET('/auth/me')).data.user.username;
    const baseConfig = operations.includes('getBaseConfig')
      ? (await client.GET('/settings/base-config')).data.spec.trim() !== ''
      : undefined;
    return {
      context: { name, url, hasApiKey: apiKey !== undefined },
      user: { username, role },
      server: {
        version,
        roles,
        stepIsolation,
        signIn: [mode, ...providers.map(({ label }) => label)],
        hasBaseConfig: baseConfig,
      },
    };
  });
  const { user, server } = value;
  const table = () =>
    formatTable([
      ['SETTING', 'VALUE'],
      ['context', name],
      ['URL', url],
      ['API key', apiKey === undefined ? 'no' : 'yes'],
      ['user', user.username ?? 'none, sign-in is disabled'],
      ['role', user.role],
      ['version', server.version],
      ['roles', server.roles.join(', ')],
      ['step isolation', server.stepIsolation ?? 'not known'],
      ['sign-in', server.signIn.join(', ')],
      ['base configuration', toAnswer(server.hasBaseConfig)],
    ]);
  printList({ value, table }, options);
  return 0;
}

/** Of what the role of the user does not permit to read, nothing is known. */
function toAnswer(value: boolean | undefined): string {
  return value === undefined ? 'needs a stronger role' : value ? 'yes' : 'no';
}
