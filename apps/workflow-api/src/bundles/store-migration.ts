// What copies the database into another one.
export { migrateStore } from '../commands/store/migrate-store';
