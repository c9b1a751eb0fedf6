// What checks an installation.
export { examineInstallation } from '../commands/doctor/examine-installation';
