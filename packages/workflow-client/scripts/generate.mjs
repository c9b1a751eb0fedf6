// Writes the types of the API's document to src/generated.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const { factory, SyntaxKind } = ts;
const folder = path.resolve(import.meta.dirname, '..');
const document = path.resolve(folder, '../workflow-contract/openapi.json');
const generated = path.join(folder, 'src/generated');

// What may be left out may be undefined: neither a query nor a JSON body transports the difference.
const acceptUndefined = (context) => (root) => {
  const visit = (node) => {
    const visited = ts.visitEachChild(node, visit, context);
    const isOptional = ts.isPropertySignature(visited) && visited.questionToken !== undefined;
    if (!isOptional || visited.type.kind === SyntaxKind.NeverKeyword) return visited;
    const { modifiers, name, questionToken, type } = visited;
    const orUndefined = factory.createUnionTypeNode([type, factory.createKeywordTypeNode(SyntaxKind.UndefinedKeyword)]);
    return factory.updatePropertySignature(visited, modifiers, name, questionToken, orUndefined);
  };
  return ts.visitNode(root, visit);
};

const types = await openapiTS(JSON.parse(readFileSync(document, 'utf8')), {
  // A key with a default may be left out of a request. Those of responses are listed as required.
  defaultNonNullable: false,
});
mkdirSync(generated, { recursive: true });
writeFileSync(path.join(generated, 'workflow-api.ts'), astToString(ts.transform(types, [acceptUndefined]).transformed));
