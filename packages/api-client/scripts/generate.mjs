// Writes the types of an OpenAPI document: generate.mjs <document> <file>
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const { factory, SyntaxKind } = ts;
const [document, file] = process.argv.slice(2);

// An optional member may be undefined: neither a query nor a JSON body transports the difference.
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
  // A key with a default may be missing in a request. Those of responses are listed as required.
  defaultNonNullable: false,
});
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, astToString(ts.transform(types, [acceptUndefined]).transformed));
