import path from 'node:path';
import { readVariables, type Variables } from '@weir/service-kit';
import { agentProviderVariables, readAgentProviderConfig, type AgentProviderConfig } from './agent-provider-config';
import { auditVariables, readAuditConfig, type AuditConfig } from './audit-config';
import { authVariables, readAuthConfig, type AuthConfig } from './auth-config';
import { oidcVariables, readOidcConfig, type OidcConfig } from './oidc-config';
import { packageVariables, readPackageConfig, type PackageConfig } from './package-config';
import { buildVariables, readBuildConfig, type BuildConfig } from './build-config';
import { folderPath, type Folders } from './config-values';
import { dagVariables, readDagConfig, type DagConfig } from './dag-config';
import { databaseVariables, readDatabaseConfig, type DatabaseConfig } from './database-config';
import { agentVariables, readAgentConfig, type AgentConfig } from './agent-config';
import { eventLogVariables, readEventLogConfig, type EventLogConfig } from './event-log-config';
import { eventTargetVariables, readEventTargetConfig, type EventTargetConfig } from './event-target-config';
import { gitSyncVariables, readGitSyncConfig, type GitSyncConfig } from './git-sync-config';
import { logVariables, readLogConfig, type LogConfig } from './log-config';
import { metricsVariables, readMetricsConfig, type MetricsConfig } from './metrics-config';
import { proxySignInVariables, readProxySignInConfig, type ProxySignInConfig } from './proxy-sign-in-config';
import { queueVariables, readQueueConfig, type QueueConfig } from './queue-config';
import { readRemoteNodeConfig, remoteNodeVariables, type RemoteNodeConfig } from './remote-node-config';
import { readSecretConfig, secretVariables, type SecretConfig } from './secret-config';
import { readServerConfig, serverVariables, type ServerConfig } from './server-config';
import { readStoreConfig, storeVariables, type StoreConfig } from './store-config';
import { readStepConfig, stepVariables, type StepConfig } from './step-config';
import { readStreamConfig, streamVariables, type StreamConfig } from './stream-config';
import { readWorkerConfig, workerVariables, type WorkerConfig } from './worker-config';

/** Every variable the server reads. The table in the README is generated from this. */
export const variables = {
  WEIR_HOME: {
    schema: folderPath.optional(),
    defaultText: '`~/.weir`',
    description: 'Folder of all data of the server.',
  },
  ...serverVariables,
  ...authVariables,
  ...oidcVariables,
  ...proxySignInVariables,
  ...dagVariables,
  ...databaseVariables,
  ...storeVariables,
  ...queueVariables,
  ...workerVariables,
  ...stepVariables,
  ...buildVariables,
  ...packageVariables,
  ...secretVariables,
  ...gitSyncVariables,
  ...logVariables,
  ...eventLogVariables,
  ...eventTargetVariables,
  ...agentProviderVariables,
  ...agentVariables,
  ...remoteNodeVariables,
  ...auditVariables,
  ...metricsVariables,
  ...streamVariables,
} as const satisfies Variables;

export interface Config
  extends
    ServerConfig,
    AuthConfig,
    OidcConfig,
    ProxySignInConfig,
    DagConfig,
    DatabaseConfig,
    StoreConfig,
    QueueConfig,
    EventTargetConfig,
    AgentProviderConfig,
    AgentConfig,
    RemoteNodeConfig,
    WorkerConfig,
    StepConfig,
    BuildConfig,
    PackageConfig,
    SecretConfig,
    GitSyncConfig,
    LogConfig,
    EventLogConfig,
    AuditConfig,
    MetricsConfig,
    StreamConfig {
  readonly home: string;
}

export interface HostInfo {
  /** Home folder of the user who runs the process. */
  readonly userHome: string;
  /** The folder that relative paths start from. */
  readonly workingDirectory: string;
}

/** Reads the environment. Throws one `invalid_request` that names every wrong variable. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, host: HostInfo): Config {
  const values = readVariables(variables, env);
  const absolute = (text: string): string =>
    path.resolve(host.workingDirectory, text.replace(/^~(?=\/|$)/, host.userHome));
  const home = absolute(values.WEIR_HOME ?? '~/.weir');
  const folders: Folders = { home, absolute };
  return Object.freeze({
    home,
    ...readServerConfig(values),
    ...readAuthConfig(values, folders),
    ...readOidcConfig(values, folders),
    ...readProxySignInConfig(values),
    ...readDagConfig(values, folders),
    ...readDatabaseConfig(values, folders),
    ...readStoreConfig(values),
    ...readQueueConfig(values),
    ...readWorkerConfig(values, folders),
    ...readStepConfig(values),
    ...readBuildConfig(values),
    ...readPackageConfig(values),
    ...readSecretConfig(values, folders),
    ...readGitSyncConfig(values, folders),
    ...readLogConfig(values, folders),
    ...readEventLogConfig(values),
    ...readEventTargetConfig(values),
    ...readAgentProviderConfig(values, folders),
    ...readAgentConfig(values),
    ...readRemoteNodeConfig(values, folders),
    ...readAuditConfig(values),
    ...readMetricsConfig(values),
    ...readStreamConfig(values),
  });
}
