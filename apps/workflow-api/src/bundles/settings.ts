// The commands about what an installation is set up with.
export { resolveDagSecrets } from '../commands/settings/resolve-secrets';
export { showConfig } from '../commands/settings/show-config';
