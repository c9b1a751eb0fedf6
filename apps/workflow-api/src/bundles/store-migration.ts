// The command that copies the database into another one.
export { migrateStore } from '../commands/store/migrate-store';
