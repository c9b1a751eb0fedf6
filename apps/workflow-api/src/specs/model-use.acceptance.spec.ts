import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(__dirname, '../../../..');
const folders = ['packages/workflow-spec/src/', 'packages/workflow-engine/src/', 'apps/workflow-api/src/'];
const [language = '', engine = '', server = ''] = folders.map((folder) => path.join(root, folder));

/** Read in a way that the checker cannot tell, or without a need to be read; with the reason. */
const fieldsAllowed: Readonly<Record<string, string>> = {
  Container: 'the engine reads the settings of docker.run, whose keys are those of the container',
  'Interval.intervalSec': 'the engine reads it of each policy',
  'Interval.maxIntervalSec': 'the engine reads it of each policy',
  'DagSettings.consts.value': 'resolveConsts takes entries of any kind',
  'DagSettings.runConfig.disableParamEdit': 'for start forms, which get it as it is',
  'DagSettings.runConfig.disableRunIdEdit': 'for start forms, which get it as it is',
  'Dag.actionLocks': 'the language takes the locks from the file while it reads the steps',
};

const keysAllowed: Readonly<Record<string, string>> = {
  city: 'sent to the provider under the same name, with what surrounds it',
  country: 'sent to the provider under the same name, with what surrounds it',
  timezone: 'sent to the provider under the same name, with what surrounds it',
  max_uses: 'sent to the provider under the same name, with what surrounds it',
  streaming: 'rows are written as they arrive, with it and without',
  max_open_conns: 'a step has one connection',
  max_idle_conns: 'a step has one connection',
  conn_max_lifetime: 'a step has one connection',
  omit: 'has no effect in a form that is deprecated with a warning',
};

let program: ts.Program;
let checker: ts.TypeChecker;
let sources: readonly ts.SourceFile[];

beforeAll(() => {
  program = createProgram();
  checker = program.getTypeChecker();
  sources = program.getSourceFiles();
}, 300_000);

const isIn = (file: ts.SourceFile, ...wanted: readonly string[]): boolean =>
  wanted.some((folder) => file.fileName.startsWith(folder));

it('every field of a DAG that a file can set is read by something that executes or resolves it', () => {
  const read = new Set<ts.Node>();
  const note = (type: ts.Type, name: string): void => {
    const symbol = checker.getNonNullableType(type).getProperty(name);
    for (const declaration of symbol?.declarations ?? []) read.add(declaration);
  };
  for (const file of sources) {
    if (isIn(file, language + 'dag/print/') || !isIn(file, language, engine, server)) continue;
    walk(file, (node) => {
      if (ts.isPropertyAccessExpression(node)) note(checker.getTypeAtLocation(node.expression), node.name.text);
      if (ts.isElementAccessExpression(node))
        for (const name of namesOf(checker.getTypeAtLocation(node.argumentExpression)))
          note(checker.getTypeAtLocation(node.expression), name);
      const name = toBoundName(node);
      if (name !== undefined) note(checker.getTypeAtLocation(node.parent), name);
    });
  }
  const fields = sources
    .filter((file) => isIn(file, language + 'model/'))
    .flatMap((file) => listOf(file, ts.isPropertySignature));
  expect(fields.length).toBeGreaterThan(200);
  const unread = fields.flatMap((field) => (read.has(field) ? [] : [nameOf(field)]));
  expect(unread.filter((name) => !isAllowed(name))).toEqual([]);
  expect(Object.keys(fieldsAllowed).filter((allowed) => !unread.some((name) => isBelow(name, allowed)))).toEqual([]);
});

it('every key of the language is named by what reads it', () => {
  const named = new Set<string>();
  for (const file of sources) {
    if (!isIn(file, language, engine, server)) continue;
    walk(file, (node) => {
      if (ts.isPropertyAccessExpression(node)) named.add(node.name.text);
      if (ts.isStringLiteralLike(node) && isIn(file, engine, server)) named.add(node.text);
      const name = toBoundName(node);
      if (name !== undefined) named.add(name);
    });
  }
  const keys = sources
    .filter((file) => isIn(file, language))
    .flatMap((file) => listOf(file, ts.isPropertyAssignment))
    .flatMap(({ name, initializer }) =>
      ts.isCallExpression(initializer) && initializer.expression.getText() === 'keySpec' ? [name.getText()] : [],
    );
  expect(keys.length).toBeGreaterThan(500);
  const unnamed = new Set(keys.filter((key) => !named.has(key)));
  expect([...unnamed].toSorted()).toEqual(Object.keys(keysAllowed).toSorted());
});

/** The server with all that it imports, from sources. */
function createProgram(): ts.Program {
  const config = path.join(root, 'apps/workflow-api/tsconfig.app.json');
  const parsed = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    path.dirname(config),
  );
  const options = { ...parsed.options, noEmit: true, composite: false, incremental: false };
  return ts.createProgram(parsed.fileNames, options);
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

function listOf<Kind extends ts.Node>(file: ts.SourceFile, isKind: (node: ts.Node) => node is Kind): readonly Kind[] {
  const found: Kind[] = [];
  walk(file, (node) => void (isKind(node) && found.push(node)));
  return found;
}

/** The names that a key may have, when its type is made of texts. */
function namesOf(type: ts.Type): readonly string[] {
  const bound = (type.flags & ts.TypeFlags.TypeParameter) === 0 ? type : checker.getBaseConstraintOfType(type);
  if (bound?.isUnion() === true) return bound.types.flatMap(namesOf);
  return bound?.isStringLiteral() === true ? [bound.value] : [];
}

/** The property that a pattern takes out of an object. */
function toBoundName(node: ts.Node): string | undefined {
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent) || node.dotDotDotToken) return undefined;
  const name = node.propertyName ?? node.name;
  return ts.isIdentifier(name) ? name.text : undefined;
}

/** `Step.retryPolicy.limit`, without the parts that have no name. */
function nameOf(field: ts.PropertySignature): string {
  const names: string[] = [];
  for (let node: ts.Node = field; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isPropertySignature(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
      names.unshift(node.name.getText());
    }
  }
  return names.join('.');
}

const isBelow = (name: string, above: string): boolean => name === above || name.startsWith(`${above}.`);
const isAllowed = (name: string): boolean => Object.keys(fieldsAllowed).some((allowed) => isBelow(name, allowed));
