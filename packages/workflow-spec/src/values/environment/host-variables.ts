// An allow-list keeps a setting of the server that is added later private, which a list of secrets would not.
const hostNames = new Set([
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  'TMPDIR',
  'TERM',
  'EDITOR',
  'VISUAL',
  'LANG',
  'TZ',
  'LD_LIBRARY_PATH',
  // No DOCKER_ prefix: people keep registry passwords under it.
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_CERT_PATH',
  'DOCKER_TLS_VERIFY',
  'DOCKER_API_VERSION',
  // These name the installation, so that the command line uses the same one in a step; none is a secret.
  'WEIR_HOME',
  'WEIR_CONTEXT',
  'WEIR_DAGS_DIR',
]);
const hostPrefixes = ['LC_', 'XDG_', 'DAG_', 'DAGU_', 'KUBERNETES_'];

/** Whether steps may inherit the variable from the server. */
export function isHostVariable(name: string): boolean {
  return hostNames.has(name) || hostPrefixes.some((prefix) => name.startsWith(prefix));
}
