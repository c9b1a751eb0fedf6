// The commands that write and read backups.
export { backUp } from '../commands/store/back-up';
export { restoreBackup } from '../commands/store/restore-backup';
