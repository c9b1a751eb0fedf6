import { z } from 'zod';

const FindingFix = z
  .object({
    title: z.string().describe('Description of the edit.'),
    text: z.string().describe('Replacement of the range.'),
    line: z.int().describe('First line, from 1.'),
    column: z.int().describe('First column, from 1.'),
    endLine: z.int().describe('Last line.'),
    endColumn: z.int().describe('Column after the last one.'),
  })
  .meta({ id: 'FindingFix', description: 'An edit that resolves the finding.' });

export const SpecFinding = z
  .object({
    code: z.string().describe('Stable code of the finding.'),
    severity: z.enum(['error', 'warning', 'info']).describe('Only errors prevent a DAG from running.'),
    message: z.string().describe('Description of the problem.'),
    path: z.string().describe('JSON pointer into the document.'),
    line: z.int().describe('First line, from 1.'),
    column: z.int().describe('First column, from 1.'),
    endLine: z.int().describe('Last line.'),
    endColumn: z.int().describe('Column after the last one.'),
    startByte: z.int().describe('Position of the first byte in the UTF-8 text, from 0.'),
    endByte: z.int().describe('Position after the last byte.'),
    fix: FindingFix.optional(),
  })
  .meta({ id: 'Finding', description: 'An error, warning or note about a location in a spec.' });

export const specErrors = z.array(z.string()).describe('The errors, each prefixed with "[line:column]".');
export const specFindings = z.array(SpecFinding).describe('All findings, including warnings.');

export const UpdateDagSpecResponse = z.object({ errors: specErrors, findings: specFindings }).meta({
  id: 'UpdateDAGSpecResponse',
  description: 'The findings of the new spec; it is stored if it has no errors.',
});
