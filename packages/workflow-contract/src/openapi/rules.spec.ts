import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findContractProblems } from '@weir/http-contract/openapi';
import { roles } from '../common/roles';
import { workflowContract } from '../contract';
import { workflowOpenApi } from './document';

const document = workflowOpenApi('/api/v1');

describe('the description as a whole', () => {
  it('is OpenAPI 3.0.0 of version 1.0.0', () => {
    expect(document).toMatchObject({ openapi: '3.0.0', info: { version: '1.0.0' } });
  });

  it('is the committed document', () => {
    const committed: unknown = JSON.parse(readFileSync(path.join(__dirname, '../../openapi.json'), 'utf8'));
    expect(JSON.parse(JSON.stringify(document))).toEqual(committed);
  });

  it('follows the rules of contracts', () => {
    expect(findContractProblems({ endpoints: Object.values(workflowContract), roles, document })).toEqual([]);
  });
});
