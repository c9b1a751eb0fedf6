// Runs generators in the folder that is the first argument, as Nx does, in one process. The second argument is the
// list of runs; what became of each is printed as JSON.
const path = require('node:path');
const { FsTree, flushChanges } = require('nx/src/generators/tree');
const { validateOptsAgainstSchema } = require('nx/src/utils/params');
const generators = require('../load.cjs');

async function generate(root, name, options) {
  validateOptsAgainstSchema(options, require(`../${name}/schema.json`));
  const tree = new FsTree(root, false);
  const callback = await generators[`${name}Generator`](tree, options);
  flushChanges(root, tree.listChanges());
  await callback?.();
}

async function main(root, runs) {
  const results = [];
  for (const [name, options] of runs) {
    results.push(
      await generate(root, name, options).then(
        () => 'done',
        ({ message }) => message,
      ),
    );
  }
  process.stdout.write(`\n${JSON.stringify(results)}`);
}

void main(path.resolve(process.argv[2]), JSON.parse(process.argv[3]));
