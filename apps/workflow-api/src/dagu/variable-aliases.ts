import type { variables } from '../config/load-config';

type Setting = keyof typeof variables;
type VariableAlias = Alias<Setting>;

const to = (setting: Setting): VariableAlias => ({ to: setting });
const different = (why: string): VariableAlias => ({ status: 'different', why });
const notYet = (why: string): VariableAlias => ({ status: 'not yet', why });
const protection = (why: string): VariableAlias => ({ status: 'not yet', why, isProtection: true });

const belowHome = different('always below `WEIR_HOME`');
const inDatabase = different('stored in the database');
const leases = different('leases of workers in the database take its part; nothing is to be set');
const noCoordinator = different('workers share the PostgreSQL database; nothing is between them');
const fixedLimit = different('a fixed limit');
const noBots = notYet('chats cannot start runs');
const brand = different('the web interface has no brand of its own');

/** Every variable of Dagu, in its present and older versions, without `DAGU_`. */
export const variableAliases: Readonly<Record<string, VariableAlias>> = {
  HOME: to('WEIR_HOME'),
  HOST: to('WEIR_HOST'),
  PORT: to('WEIR_PORT'),
  BASE_PATH: to('WEIR_BASE_PATH'),
  API_BASE_URL: different('always `/api/v1`'),
  API_BASE_PATH: different('always `/api/v1`'),
  PUBLIC_URL: to('WEIR_PUBLIC_URL'),
  HEADLESS: { to: 'WEIR_UI', value: (text) => (isTrue(text) ? 'off' : 'on'), note: '`true` is `off`' },
  DEBUG: { to: 'WEIR_LOG_LEVEL', value: (text) => (isTrue(text) ? 'debug' : 'info'), note: '`true` is `debug`' },
  LOG_FORMAT: to('WEIR_LOG_FORMAT'),
  ACCESS_LOG_MODE: different('every request is logged; `WEIR_LOG_LEVEL` says what is shown'),
  TZ: to('WEIR_TZ'),
  DEFAULT_SHELL: to('WEIR_DEFAULT_SHELL'),
  LATEST_STATUS_TODAY: different('the newest run is the latest'),
  SERVER_METRICS: to('WEIR_METRICS'),
  CACHE: different('memory is bounded without it'),
  CHECK_UPDATES: different('nothing looks for updates'),
  SKIP_EXAMPLES: to('WEIR_SKIP_EXAMPLES'),
  CERT_FILE: protection('a reverse proxy serves TLS'),
  KEY_FILE: protection('a reverse proxy serves TLS'),
  CORS_ALLOWED_ORIGINS: different('only the own origin'),
  IP_ACCESS_ALLOWED_IPS: protection('a firewall or a reverse proxy limits addresses'),
  IP_ACCESS_TRUSTED_PROXIES: to('WEIR_TRUSTED_PROXIES'),
  TERMINAL_ENABLED: notYet('no terminal in the browser'),
  TERMINAL_MAX_SESSIONS: notYet('no terminal in the browser'),
  AUDIT_ENABLED: different('always on'),
  AUDIT_RETENTION_DAYS: { to: 'WEIR_AUDIT_AGE', value: (days) => `${days}d`, note: '`7` is `7d`' },
  EVENT_STORE_ENABLED: different('always on'),
  EVENT_STORE_RETENTION_DAYS: { to: 'WEIR_EVENT_LOG_AGE', value: (days) => `${days}d`, note: '`7` is `7d`' },
  SESSION_MAX_PER_USER: to('WEIR_AGENT_SESSIONS'),
  WEBHOOKS_MAX_PAYLOAD_SIZE: fixedLimit,
  SSE_MAX_TOPICS_PER_CONNECTION: fixedLimit,
  SSE_MAX_CLIENTS: to('WEIR_MAX_STREAMS'),
  SSE_HEARTBEAT_INTERVAL: fixedLimit,
  SSE_WRITE_BUFFER_SIZE: fixedLimit,
  SSE_SLOW_CLIENT_TIMEOUT: fixedLimit,
  UI_NAVBAR_TITLE: brand,
  NAVBAR_TITLE: brand,
  UI_NAVBAR_COLOR: brand,
  NAVBAR_COLOR: brand,
  UI_MAX_DASHBOARD_PAGE_LIMIT: fixedLimit,
  MAX_DASHBOARD_PAGE_LIMIT: fixedLimit,
  UI_LOG_ENCODING_CHARSET: different('logs are UTF-8'),
  LOG_ENCODING_CHARSET: different('logs are UTF-8'),
  UI_DAGS_SORT_FIELD: different('each view remembers its order'),
  UI_DAGS_SORT_ORDER: different('each view remembers its order'),
  AUTH_MODE: to('WEIR_AUTH_MODE'),
  AUTH_BASIC_USERNAME: protection('users are in the database'),
  AUTH_BASIC_PASSWORD: protection('users are in the database'),
  AUTH_TOKEN_SECRET: to('WEIR_JWT_SECRET'),
  AUTH_TOKEN_TTL: to('WEIR_TOKEN_TTL'),
  AUTH_BUILTIN_INITIAL_ADMIN_USERNAME: different(
    'the set-up page creates the first user with a token that the server prints',
  ),
  AUTH_BUILTIN_INITIAL_ADMIN_PASSWORD: different(
    'the set-up page creates the first user with a token that the server prints',
  ),
  AUTH_OIDC_CLIENT_ID: to('WEIR_OIDC_CLIENT_ID'),
  AUTH_OIDC_CLIENT_SECRET: to('WEIR_OIDC_CLIENT_SECRET'),
  AUTH_OIDC_CLIENT_URL: to('WEIR_OIDC_CLIENT_URL'),
  AUTH_OIDC_ISSUER: to('WEIR_OIDC_ISSUER'),
  AUTH_OIDC_SCOPES: to('WEIR_OIDC_SCOPES'),
  AUTH_OIDC_WHITELIST: to('WEIR_OIDC_WHITELIST'),
  AUTH_OIDC_ALLOWED_DOMAINS: to('WEIR_OIDC_ALLOWED_DOMAINS'),
  AUTH_OIDC_AUTO_SIGNUP: to('WEIR_OIDC_AUTO_SIGNUP'),
  AUTH_OIDC_BUTTON_LABEL: to('WEIR_OIDC_BUTTON_LABEL'),
  AUTH_OIDC_DEFAULT_ROLE: to('WEIR_OIDC_DEFAULT_ROLE'),
  AUTH_OIDC_GROUPS_CLAIM: to('WEIR_OIDC_GROUPS_CLAIM'),
  AUTH_OIDC_GROUP_MAPPINGS: to('WEIR_OIDC_GROUP_MAPPINGS'),
  AUTH_OIDC_ROLE_ATTRIBUTE_PATH: to('WEIR_OIDC_ROLE_EXPRESSION'),
  AUTH_OIDC_ROLE_ATTRIBUTE_STRICT: protection('`WEIR_OIDC_DEFAULT_ROLE` is `none`'),
  AUTH_OIDC_SKIP_ORG_ROLE_SYNC: to('WEIR_OIDC_SKIP_ORG_ROLE_SYNC'),
  AUTH_OIDC_DEFAULT_WORKSPACE_ACCESS: protection(
    'groups have roles in workspaces; `WEIR_OIDC_DEFAULT_ROLE` may be `none`',
  ),
  AUTH_PROXY_ENABLED: different('on once `WEIR_PROXY_SIGN_IN_FROM` names the addresses of the proxy'),
  AUTH_PROXY_SOURCE: different('`WEIR_PROXY_SIGN_IN_FROM` names the addresses of the proxy'),
  AUTH_PROXY_BUTTON_LABEL: to('WEIR_PROXY_BUTTON_LABEL'),
  AUTH_PROXY_HEADERS_USER: to('WEIR_PROXY_USER_HEADER'),
  AUTH_PROXY_HEADERS_GROUPS: to('WEIR_PROXY_GROUPS_HEADER'),
  AUTH_PROXY_AUTO_SIGNUP: to('WEIR_PROXY_AUTO_SIGNUP'),
  AUTH_PROXY_DEFAULT_ROLE: to('WEIR_PROXY_DEFAULT_ROLE'),
  AUTH_PROXY_DEFAULT_WORKSPACE_ACCESS: protection(
    'groups have roles in workspaces; `WEIR_PROXY_DEFAULT_ROLE` may be `none`',
  ),
  AUTH_PROXY_REQUIRE_MAPPING: protection('`WEIR_PROXY_DEFAULT_ROLE` is `none`'),
  AUTH_PROXY_SKIP_ORG_ROLE_SYNC: to('WEIR_PROXY_SKIP_ORG_ROLE_SYNC'),
  ENCRYPTION_KEY: different('`WEIR_SECRETS_KEY` has the key of stored secrets, in another form'),
  DAGS_DIR: to('WEIR_DAGS_DIR'),
  DAGS: to('WEIR_DAGS_DIR'),
  ALT_DAGS_DIR: notYet('one folder of DAG files'),
  DOCS_DIR: to('WEIR_DOCS_DIR'),
  WIKI_DIR: to('WEIR_DOCS_DIR'),
  BASE_CONFIG: to('WEIR_BASE_CONFIG'),
  LOG_DIR: belowHome,
  ARTIFACT_DIR: belowHome,
  DATA_DIR: belowHome,
  ADMIN_LOG_DIR: inDatabase,
  EVENT_STORE_DIR: inDatabase,
  SUSPEND_FLAGS_DIR: inDatabase,
  DAG_RUNS_DIR: inDatabase,
  PROC_DIR: inDatabase,
  QUEUE_DIR: inDatabase,
  SERVICE_REGISTRY_DIR: inDatabase,
  USERS_DIR: inDatabase,
  WORKSPACES_DIR: inDatabase,
  DAG_STATE_DIR: inDatabase,
  CONTEXTS_DIR: belowHome,
  DAG_RUN_WORK_DIR: belowHome,
  TOOLS_DIR: belowHome,
  EXECUTABLE: different('runs are executed in the process of the server'),
  QUEUE_ENABLED: different('queues are always on'),
  DEFAULT_EXECUTION_MODE: noCoordinator,
  SCHEDULER_PORT: different('`GET /health` of the server covers it'),
  SCHEDULER_LOCK_STALE_THRESHOLD: leases,
  SCHEDULER_LOCK_RETRY_INTERVAL: leases,
  SCHEDULER_RETRY_FAILURE_WINDOW: leases,
  SCHEDULER_ZOMBIE_DETECTION_INTERVAL: leases,
  SCHEDULER_FAILURE_THRESHOLD: leases,
  SCHEDULER_HEARTBEAT_INTERVAL: leases,
  SCHEDULER_STALE_THRESHOLD: leases,
  PROC_HEARTBEAT_INTERVAL: leases,
  PROC_STALE_THRESHOLD: leases,
  COORDINATOR_ENABLED: noCoordinator,
  COORDINATOR_HOST: noCoordinator,
  COORDINATOR_ADVERTISE: noCoordinator,
  COORDINATOR_PORT: noCoordinator,
  COORDINATOR_HEALTH_PORT: noCoordinator,
  WORKER_ID: noCoordinator,
  WORKER_MAX_ACTIVE_RUNS: to('WEIR_WORKER_CONCURRENCY'),
  WORKER_LABELS: to('WEIR_WORKER_LABELS'),
  WORKER_COORDINATORS: noCoordinator,
  WORKER_HEALTH_PORT: noCoordinator,
  PEER_CERT_FILE: noCoordinator,
  PEER_KEY_FILE: noCoordinator,
  PEER_CLIENT_CA_FILE: noCoordinator,
  PEER_SKIP_TLS_VERIFY: noCoordinator,
  PEER_INSECURE: noCoordinator,
  MONITORING_RETENTION: different('Prometheus reads `GET /metrics`'),
  MONITORING_INTERVAL: different('Prometheus reads `GET /metrics`'),
  ENV_PASSTHROUGH: to('WEIR_ENV_PASSTHROUGH'),
  ENV_PASSTHROUGH_PREFIXES: to('WEIR_ENV_PASSTHROUGH_PREFIXES'),
  DAG_DISCOVERY_RECURSIVE: notYet('the folder itself and those of its workspaces'),
  DAG_DISCOVERY_SYMLINKS: different('links to files are followed'),
  GITSYNC_ENABLED: to('WEIR_GIT_SYNC'),
  GITSYNC_REPOSITORY: to('WEIR_GIT_SYNC_REPOSITORY'),
  GITSYNC_BRANCH: to('WEIR_GIT_SYNC_BRANCH'),
  GITSYNC_PATH: to('WEIR_GIT_SYNC_PATH'),
  GITSYNC_PUSH_ENABLED: to('WEIR_GIT_SYNC_PUSH'),
  GITSYNC_AUTH_TYPE: to('WEIR_GIT_SYNC_AUTH'),
  GITSYNC_AUTH_TOKEN: to('WEIR_GIT_SYNC_TOKEN'),
  GITSYNC_AUTH_SSH_KEY_PATH: to('WEIR_GIT_SYNC_SSH_KEY_FILE'),
  GITSYNC_AUTH_SSH_PASSPHRASE: to('WEIR_GIT_SYNC_SSH_PASSPHRASE'),
  GITSYNC_AUTOSYNC_ENABLED: to('WEIR_GIT_SYNC_AUTOMATIC'),
  GITSYNC_AUTOSYNC_ON_STARTUP: to('WEIR_GIT_SYNC_ON_STARTUP'),
  GITSYNC_AUTOSYNC_INTERVAL: {
    to: 'WEIR_GIT_SYNC_INTERVAL',
    value: (seconds) => `${seconds}s`,
    note: '`300` is `300s`',
  },
  GITSYNC_COMMIT_AUTHOR_NAME: to('WEIR_GIT_SYNC_AUTHOR_NAME'),
  GITSYNC_COMMIT_AUTHOR_EMAIL: to('WEIR_GIT_SYNC_AUTHOR_EMAIL'),
  TUNNEL_ENABLED: different('a reverse proxy or a tunnel of your own'),
  LICENSE_KEY: different('nothing is licensed'),
  LICENSE_CLOUD_URL: different('nothing is licensed'),
  BOTS_TELEGRAM_TOKEN: noBots,
  BOTS_SLACK_BOT_TOKEN: noBots,
  BOTS_DISCORD_TOKEN: noBots,
};

function isTrue(text: string): boolean {
  return ['true', '1', 't'].includes(text.trim().toLowerCase());
}

/** The counterpart of a name of Dagu. */
type Alias<Target extends string = string> =
  | {
      readonly to: Target;
      /** Returns the value as it is written here; undefined for a value that is passed on unchanged. */
      readonly value?: (text: string) => string;
      readonly note?: string;
    }
  | {
      readonly status: 'different' | 'not yet';
      readonly why: string;
      /** Whether a server without this setting would be less safe than its operator expects; then it does not start. */
      readonly isProtection?: true;
    };
