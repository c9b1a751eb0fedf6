// The command that checks an installation, or the connection to a server.
export { examineConnection } from '../commands/doctor/examine-connection';
export { examineInstallation } from '../commands/doctor/examine-installation';
