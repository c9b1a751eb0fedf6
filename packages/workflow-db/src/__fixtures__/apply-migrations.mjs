// Applies the migrations below argument 2 to the database of argument 1 and prints how many there were.
import { applyMigrations } from '@weir/workflow-db';

const [url, folder] = process.argv.slice(2);
const { applied } = await applyMigrations({ url, folder });
process.stdout.write(String(applied.length));
