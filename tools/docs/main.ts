// Writes the tables that pages of the site show and that the code holds, where `docs/.vitepress/config.mts` reads them.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { siteTables } from './site-tables';

writeFileSync(
  path.resolve(__dirname, '../../docs/.vitepress/tables.json'),
  JSON.stringify(Object.fromEntries(siteTables())),
);
