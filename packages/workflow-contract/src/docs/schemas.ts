import { z } from 'zod';
import { Pagination } from '../common/paging';
import { hasMore, matches, nextCursor } from '../search/schemas';

export const maxDocLength = 1_000_000;

/** Segments of an id: letters, digits, blanks and `_.-`, the first one a letter or digit. */
const pathPattern = /^[A-Za-z0-9][A-Za-z0-9_. -]*(?:\/[A-Za-z0-9][A-Za-z0-9_. -]*)*$/;

export const DocPath = z
  .string()
  .min(1)
  .max(256)
  .regex(pathPattern, 'must be segments of letters, digits, blanks, "_", "." and "-", joined by "/"')
  .meta({
    id: 'DocPath',
    description: 'Path of a document without ".md", relative to its workspace if that is named.',
  });

const id = z.string().describe('Path without ".md"; relative to the workspace if the request names one.');
const title = z.string().describe('From the front matter, else the last part of the path.');
const description = z.string().describe('From the front matter; empty if it has none.');
const workspace = z.string().optional().describe('The workspace that the document belongs to.');
const timestamp = z.iso.datetime({ offset: true });
const content = z.string().max(maxDocLength).describe('Markdown, including the front matter.');

export const DocResponse = z
  .object({
    id,
    title,
    description,
    workspace,
    content,
    filePath: z.string().describe('Absolute path of the file on the server.'),
    createdAt: timestamp.describe('When the file was created.'),
    updatedAt: timestamp.describe('When it was changed last.'),
  })
  .meta({ id: 'DocResponse', description: 'A document.' });
export type DocResponse = z.output<typeof DocResponse>;

export const DocMetadataResponse = z
  .object({ id, title, description, workspace, modifiedAt: timestamp.describe('When the file was changed last.') })
  .meta({ id: 'DocMetadataResponse', description: 'A document without its content.' });
export type DocMetadataResponse = z.output<typeof DocMetadataResponse>;

export interface DocTreeNodeResponse {
  id: string;
  name: string;
  title?: string | undefined;
  workspace?: string | undefined;
  type: 'file' | 'directory';
  modifiedAt: string;
  children?: DocTreeNodeResponse[] | undefined;
}

export const DocTreeNodeResponse: z.ZodType<DocTreeNodeResponse> = z
  .object({
    id,
    name: z.string().describe('The last part of the path.'),
    title: title.optional(),
    workspace,
    type: z.enum(['file', 'directory']).describe('A document, or a directory of documents.'),
    modifiedAt: timestamp.describe('When it was changed last; for a directory, the newest document in it.'),
    children: z
      .lazy(() => z.array(DocTreeNodeResponse))
      .optional()
      .meta({
        type: 'array',
        items: { $ref: '#/components/schemas/DocTreeNodeResponse' },
        description: 'Contents of a directory.',
      }),
  })
  .meta({ id: 'DocTreeNodeResponse', description: 'A document, or a directory of documents.' });

export const DocListResponse = z
  .object({
    tree: z.array(DocTreeNodeResponse).optional().describe('Unless a flat list is requested.'),
    items: z.array(DocMetadataResponse).optional().describe('If a flat list is requested.'),
    pagination: Pagination,
  })
  .meta({ id: 'DocListResponse', description: 'A page of documents; of a tree, the top level is divided into pages.' });

const found = { id, title, description, workspace };

export const DocSearchResponse = z
  .object({
    results: z
      .array(
        z
          .object({ ...found, matches })
          .meta({ id: 'DocSearchResultItem', description: 'A document that contains the text.' }),
      )
      .describe('By path.'),
  })
  .meta({ id: 'DocSearchResponse', description: 'Documents that contain the text.' });

export const DocSearchFeedResponse = z
  .object({
    results: z
      .array(
        z
          .object({
            ...found,
            hasMoreMatches: hasMore,
            nextMatchesCursor: z.string().optional().describe('Cursor of further matches of this document.'),
            matches,
          })
          .meta({ id: 'DocSearchPageItem', description: 'A document that contains the text, with the first match.' }),
      )
      .describe('By path.'),
    hasMore,
    nextCursor,
  })
  .meta({ id: 'DocSearchFeedResponse', description: 'A page of documents that contain the text.' });

export const CreateDocRequest = z
  .object({ id: DocPath, content })
  .meta({ id: 'CreateDocRequest', description: 'A new document.' });

export const UpdateDocRequest = z
  .object({ content })
  .meta({ id: 'UpdateDocRequest', description: 'The new content of a document.' });

export const RenameDocRequest = z
  .object({ newPath: DocPath })
  .meta({ id: 'RenameDocRequest', description: 'The new path of a document or directory.' });

export const DocDeleteBatchRequest = z
  .object({ paths: z.array(DocPath).min(1).max(100).describe('Paths of documents and directories, each once.') })
  .refine(({ paths }) => new Set(paths).size === paths.length, { message: 'must be different', path: ['paths'] })
  .meta({ id: 'DocDeleteBatchRequest', description: 'Documents and directories to be deleted.' });

export const DocDeleteBatchResponse = z
  .object({
    deleted: z.array(z.string()).describe('What is gone, also if it did not exist.'),
    failed: z
      .array(
        z
          .object({ path: z.string().describe('Its path.'), error: z.string().describe('Why it is not deleted.') })
          .meta({ id: 'DocDeleteBatchFailedItem', description: 'What could not be deleted.' }),
      )
      .describe('What could not be deleted.'),
    message: z.string().describe('Readable description of the result.'),
  })
  .meta({ id: 'DocDeleteBatchResponse', description: 'The result for each path.' });
