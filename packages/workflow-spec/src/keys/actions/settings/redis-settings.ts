import { keySpec } from '../../../shapes/object-kind';
import { nonEmptyText, text } from '../../../shapes/shapes';
import { duration } from '../../../shapes/settings/duration-setting';
import { flag, oneOrTexts, port, whole, word } from '../../../shapes/settings/setting-shapes';
import { settingsShape } from '../../../shapes/settings/settings-shape';

/** Keys for the connection to a server; they are defaults in a DAG and settings in a step. */
export const connectionKeys = {
  url: keySpec('redis:// or rediss:// URL of the server', nonEmptyText),
  host: keySpec('Host of the server', nonEmptyText),
  port: keySpec('Port; 6379 by default', port),
  username: keySpec('User name', text),
  password: keySpec('Password', text),
  db: keySpec('Number of the database; 0 by default', whole(0)),
  tls: keySpec('Use TLS', flag),
  mode: keySpec('standalone, sentinel or cluster; standalone by default', word('standalone', 'sentinel', 'cluster')),
  sentinel_master: keySpec('Name of the master that the sentinels watch', nonEmptyText),
  sentinel_addrs: keySpec('Addresses of sentinels, HOST:PORT', oneOrTexts('sentinel_addrs')),
  sentinel_password: keySpec('Password of the sentinels', text),
  cluster_addrs: keySpec('Addresses of nodes of the cluster, HOST:PORT', oneOrTexts('cluster_addrs')),
  timeout: keySpec('Timeout of connection and command; 30 seconds by default', duration),
  max_result_size: keySpec('Maximum number of bytes of the result; 10 MiB by default', whole(1)),
} as const;

/** The shape of the `redis` of a DAG. */
export const redisDefaults = settingsShape({ title: 'redis', keys: connectionKeys });
