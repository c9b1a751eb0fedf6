// The commands about what an installation is set up with.
export { resolveDagSecrets } from '../commands/settings/resolve-secrets';
export { showContextConfig } from '../commands/settings/show-context-config';
export { showConfig } from '../commands/settings/show-config';
