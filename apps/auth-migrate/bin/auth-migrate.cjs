#!/usr/bin/env node
// npm links commands before anything is built, so this file is here from the start.
const { existsSync } = require('node:fs');
const path = require('node:path');

const main = path.join(__dirname, '../dist/main.js');
if (existsSync(main)) require(main);
else {
  process.stderr.write('auth-migrate: not built yet: run "npx nx build auth-migrate" first.\n');
  process.exitCode = 2;
}
