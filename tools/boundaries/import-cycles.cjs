// From the ground up. Each floor imports only floors below it, so that a floor can be understood, and changed, without
// those above. What a lower floor needs of a higher one it names as an interface of its own.
const floorsByPackage = {
  'workflow-engine': ['model', 'values', 'host', 'actions', 'scope', 'run'],
  'workflow-spec': ['model', 'source', 'shapes', 'values', 'keys', 'steps', 'dag'],
  'workflow-ui': ['api', 'parts', 'graph', 'editor', 'shell', 'screens'],
  'rollout-ui': ['api', 'parts', 'tokens', 'shell', 'screens'],
  'auth-action': ['runner', 'inputs', 'report', 'cloud', 'clouds', 'publish', 'check', 'post', 'run'],
};

function floorRules([packageName, floors]) {
  const sources = `^packages/${packageName}/src`;
  return floors.slice(0, -1).map((floor, index) => ({
    name: `${packageName}-${floor}-imports-no-floor-above`,
    severity: 'error',
    // Fixtures build what they need from any floor.
    from: { path: `${sources}/${floor}/`, pathNot: '/testing/' },
    to: { path: `${sources}/(?:index\\.ts$|(?:${floors.slice(index + 1).join('|')})/)` },
  }));
}

// Two folders that import each other are one folder. A folder and one inside of it are not compared: what is imported
// within the outer one counts as its own.
const noCircleOfFolders = {
  name: 'no-circle-of-folders',
  severity: 'error',
  scope: 'folder',
  from: { path: '^(?:packages|apps)/[^/]+/src' },
  to: { circular: true },
};

// What every feature may import imports none itself.
const workflowFoundations =
  'access|adapters|browser-access|config|dag-parser|encryption|failures|http|js-run|local-api|oidc|output-thread|run-files';
const noFeatureInFoundations = {
  name: 'workflow-api-foundations-import-no-feature',
  severity: 'error',
  from: { path: `^apps/workflow-api/src/(?:${workflowFoundations})/` },
  to: { path: '^apps/workflow-api/src/(?:bundles|commands|features|mcp)/' },
};

// What two screens share is a part.
const noScreenImportsAnother = {
  name: 'no-screen-imports-another',
  severity: 'error',
  from: { path: '^packages/([^/]+-ui)/src/screens/([^/]+)/' },
  to: { path: '^packages/$1/src/screens/', pathNot: '^packages/$1/src/screens/$2/' },
};

/**
 * No file imports itself by way of others, no folder either, and no floor one above it; imports of types
 * count.
 */
module.exports = {
  forbidden: [
    { name: 'no-import-cycle', severity: 'error', from: {}, to: { circular: true } },
    noCircleOfFolders,
    noFeatureInFoundations,
    noScreenImportsAnother,
    ...Object.entries(floorsByPackage).flatMap(floorRules),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Nothing imports a spec, so none is part of a cycle; what specs use does not tie folders together.
    exclude: { path: ['(^|/)(dist|out-tsc|generated)/', '\\.(spec|type-spec|contract-spec)\\.tsx?$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['@weir/source', 'import', 'require', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
