// From the ground up. Each floor of the engine imports only floors below it, so that a floor can be understood, and
// changed, without those above. What a lower floor needs of a higher one it names as an interface of its own.
const engineFloors = ['model', 'values', 'host', 'actions', 'scope', 'run'];
const engine = '^packages/workflow-engine/src';

const floorRules = engineFloors.slice(0, -1).map((floor, index) => ({
  name: `workflow-engine-${floor}-imports-no-floor-above`,
  severity: 'error',
  // Fixtures build what they need from any floor.
  from: { path: `${engine}/${floor}/`, pathNot: '/testing/' },
  to: { path: `${engine}/(?:index\\.ts$|(?:${engineFloors.slice(index + 1).join('|')})/)` },
}));

// Two folders that import each other are one folder.
const folderRule = {
  name: 'workflow-engine-no-circle-of-folders',
  severity: 'error',
  scope: 'folder',
  from: { path: `${engine}/` },
  to: { circular: true },
};

/** No file imports itself by way of others, and no floor of the engine one above it; imports of types count. */
module.exports = {
  forbidden: [
    { name: 'no-import-cycle', severity: 'error', from: {}, to: { circular: true } },
    ...floorRules,
    folderRule,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Nothing imports a spec, so none is part of a cycle; what specs use does not tie folders together.
    exclude: { path: ['(^|/)(dist|out-tsc|generated)/', '\\.(spec|type-spec)\\.tsx?$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['@weir/source', 'import', 'require', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
