// The command that prints the settings.
export { showConfig } from '../commands/settings/show-config';
