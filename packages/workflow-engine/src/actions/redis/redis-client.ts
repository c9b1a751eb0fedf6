import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { Cluster, Redis } from 'ioredis';
import { actionFailed } from '../../model/steps/action-errors';

/** A connection to one server, which sentinels may name, or to a cluster. */
export type RedisClient = Redis | Cluster;

export type ConnectionSettings = SettingsFor<'redis.ping'>;

/** Makes a client, which is not connected yet. Throws `action_failed` for settings that name no server. */
export async function createRedisClient(settings: ConnectionSettings, timeoutMs: number): Promise<RedisClient> {
  // Loaded on first use: most servers never open a connection.
  const { Cluster, Redis } = await import('ioredis');
  const options = toOptions(settings, timeoutMs);
  switch (settings.mode) {
    case 'cluster':
      return new Cluster(toAddresses('cluster_addrs', settings.cluster_addrs), {
        lazyConnect: true,
        // The retry policy of the step decides, not the library.
        clusterRetryStrategy: () => null,
        redisOptions: options,
      });
    case 'sentinel':
      return new Redis({ ...options, ...toSentinels(settings) });
    default:
      return settings.url === undefined
        ? new Redis({ ...options, ...toHost(settings) })
        : new Redis(toUrl(settings), options);
  }
}

function toOptions({ username, password, db, tls }: ConnectionSettings, connectTimeout: number) {
  return {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(db === undefined ? {} : { db }),
    ...(tls === true ? { tls: {} } : {}),
  };
}

function toSentinels({ sentinel_addrs, sentinel_master, sentinel_password, tls }: ConnectionSettings) {
  if (sentinel_master === undefined)
    throw actionFailed('sentinel_master is missing, here and in the redis of the DAG.');
  return {
    sentinels: toAddresses('sentinel_addrs', sentinel_addrs),
    name: sentinel_master,
    sentinelRetryStrategy: () => null,
    ...(sentinel_password === undefined ? {} : { sentinelPassword: sentinel_password }),
    ...(tls === true ? { enableTLSForSentinelMode: true } : {}),
  };
}

function toHost({ host, port }: ConnectionSettings) {
  if (host === undefined) throw actionFailed('url or host is missing, here and in the redis of the DAG.');
  return { host, ...(port === undefined ? {} : { port }) };
}

function toUrl({ url = '' }: ConnectionSettings): string {
  if (!/^rediss?:\/\//.test(url)) throw actionFailed('url must begin with redis:// or rediss://.');
  return url;
}

function toAddresses(name: string, texts: readonly string[] = []): { host: string; port: number }[] {
  if (texts.length === 0) throw actionFailed(`${name} is missing, here and in the redis of the DAG.`);
  return texts.map((text) => {
    const [, host = '', port] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(text) ?? [];
    if (port === undefined) throw actionFailed(`${name} must be HOST:PORT.`);
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  });
}
