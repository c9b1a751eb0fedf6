// The command that checks an installation.
export { examineInstallation } from '../commands/doctor/examine-installation';
