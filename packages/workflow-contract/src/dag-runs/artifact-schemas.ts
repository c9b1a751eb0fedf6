import { z } from 'zod';

export const ArtifactNodeType = z
  .enum(['directory', 'file'])
  .meta({ id: 'ArtifactNodeType', description: 'What an artifact is.' });

const node = {
  name: z.string().describe('Name of the file or folder.'),
  path: z.string().describe('Path below the artifacts of the run, with "/" between names.'),
  type: ArtifactNodeType,
  size: z.int().min(0).optional().describe('Bytes; of a folder only when what it holds is not shown.'),
};

export interface ArtifactTreeNode {
  name: string;
  path: string;
  type: z.output<typeof ArtifactNodeType>;
  size?: number | undefined;
  children?: ArtifactTreeNode[] | undefined;
}

export const ArtifactTreeNode: z.ZodType<ArtifactTreeNode> = z
  .object({
    ...node,
    children: z
      .lazy(() => z.array(ArtifactTreeNode))
      .optional()
      .meta({
        type: 'array',
        items: { $ref: '#/components/schemas/ArtifactTreeNode' },
        description: 'What the folder holds.',
      }),
  })
  .meta({ id: 'ArtifactTreeNode', description: 'A file or folder among the artifacts of a run.' });

export const ArtifactTreeResponse = z
  .object({ items: z.array(ArtifactTreeNode).describe('Folders first, then by name.') })
  .meta({ id: 'ArtifactTreeResponse', description: 'The artifacts of a run.' });

export const ArtifactPreviewKind = z
  .enum(['markdown', 'html', 'text', 'image', 'binary'])
  .meta({ id: 'ArtifactPreviewKind', description: 'How an artifact can be shown.' });

export const ArtifactPreviewResponse = z
  .object({
    name: z.string().describe('Name of the file.'),
    path: z.string().describe('Path below the artifacts of the run.'),
    kind: ArtifactPreviewKind,
    mimeType: z.string().describe('Media type by the name and the content.'),
    size: z.int().min(0).describe('Bytes.'),
    tooLarge: z.boolean().describe('Whether it is too large to be shown: 2 MiB of text, 5 MiB of an image.'),
    truncated: z.boolean().describe('Whether the content is not all: the file grew while it was read.'),
    content: z.string().optional().describe('The text; only of markdown, html and text that is not too large.'),
  })
  .meta({ id: 'ArtifactPreviewResponse', description: 'An artifact as it can be shown.' });
export type ArtifactPreviewResponse = z.output<typeof ArtifactPreviewResponse>;
