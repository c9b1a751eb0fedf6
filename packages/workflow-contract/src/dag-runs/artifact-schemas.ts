import { z } from 'zod';

export const ArtifactNodeType = z
  .enum(['directory', 'file'])
  .meta({ id: 'ArtifactNodeType', description: 'Type of an artifact.' });

const node = {
  name: z.string().describe('Name of the file or folder.'),
  path: z.string().describe('Path relative to the artifacts folder of the run, with "/" as the separator.'),
  type: ArtifactNodeType,
  size: z.int().min(0).optional().describe('Size in bytes; for a folder, only if its contents are not included.'),
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
        description: 'Contents of the folder.',
      }),
  })
  .meta({ id: 'ArtifactTreeNode', description: 'A file or folder among the artifacts of a run.' });

export const ArtifactTreeResponse = z
  .object({ items: z.array(ArtifactTreeNode).describe('Folders first, then by name.') })
  .meta({ id: 'ArtifactTreeResponse', description: 'The artifacts of a run.' });

export const ArtifactPreviewKind = z
  .enum(['markdown', 'html', 'text', 'image', 'binary'])
  .meta({ id: 'ArtifactPreviewKind', description: 'Kind of preview of an artifact.' });

export const ArtifactPreviewResponse = z
  .object({
    name: z.string().describe('Name of the file.'),
    path: z.string().describe('Path relative to the artifacts folder of the run.'),
    kind: ArtifactPreviewKind,
    mimeType: z.string().describe('Media type, derived from the name and the content.'),
    size: z.int().min(0).describe('Size in bytes.'),
    tooLarge: z.boolean().describe('Whether it is too large for a preview: 2 MiB of text, 5 MiB for an image.'),
    truncated: z.boolean().describe('Whether the content is incomplete because the file grew while it was read.'),
    content: z.string().optional().describe('The content of markdown, html and text files that are not too large.'),
  })
  .meta({ id: 'ArtifactPreviewResponse', description: 'Preview of an artifact.' });
export type ArtifactPreviewResponse = z.output<typeof ArtifactPreviewResponse>;
