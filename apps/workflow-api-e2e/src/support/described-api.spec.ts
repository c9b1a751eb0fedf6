import document from '@weir/workflow-contract/openapi.json';
import { describedOperations, type ApiDocument } from './described-api';

const operations = describedOperations(document as unknown as ApiDocument);
const problemsOf = (name: string, status: number, body: unknown, type = 'application/json') =>
  operations
    .find((operation) => operation.name === name)
    ?.problems({
      status,
      body,
      headers: new Headers(body === undefined ? {} : { 'content-type': `${type}; charset=utf-8` }),
    });
const error = { code: 'not_found', message: 'There is none.' };

describe('describedOperations', () => {
  it.each([
    ['GET /workspaces', 200, { workspaces: [] }],
    ['GET /workspaces/{workspaceId}', 404, error],
    ['GET /workspaces', 413, error],
    ['DELETE /workspaces/{workspaceId}', 204, undefined],
  ])('accepts the described answer of %s: %i', (name, status, body) => {
    expect(problemsOf(name, status, body)).toEqual([]);
  });

  it.each([
    ['a status of its own', 'GET /workspaces', 500, error],
    ['a success that is not described', 'GET /workspaces', 202, { workspaces: [] }],
    ['a missing property', 'GET /workspaces', 200, {}],
    ['a property of another type', 'GET /workspaces', 200, { workspaces: [{ id: 5 }] }],
    ['an error without a code', 'GET /workspaces', 413, { message: 'No.' }],
    ['a body where none is described', 'DELETE /workspaces/{workspaceId}', 204, error],
    ['a missing body', 'GET /workspaces', 200, undefined],
  ])('refuses %s', (_, name, status, body) => {
    expect(problemsOf(name, status, body)).not.toEqual([]);
  });

  it('refuses another type of content', () => {
    expect(problemsOf('GET /workspaces', 200, { workspaces: [] }, 'text/html')).not.toEqual([]);
  });
});
