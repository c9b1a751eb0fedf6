import type { DocMetadataResponse, DocResponse, DocTreeNodeResponse } from '@weir/workflow-contract/schemas';
import type { DocFiles } from './doc-files';
import { lastSegment } from './doc-path';
import type { DocAddress, DocScope } from './doc-scope';
import type { DocView } from './doc-changes';
import type { DocNode } from './doc-tree';
import { readFrontMatter, type FrontMatter } from './front-matter';

export function presentDoc({ address, file }: DocView): DocResponse {
  return {
    ...presentHead(address, readFrontMatter(file.text)),
    content: file.text.replaceAll('\r\n', '\n').replace(/\n+$/, ''),
    filePath: file.filePath,
    createdAt: file.createdAt.toISOString(),
    updatedAt: file.updatedAt.toISOString(),
  };
}

/** Presents the fields with which every answer about a document begins. */
export function presentHead(address: DocAddress, { title, description }: FrontMatter) {
  return {
    id: address.shownId,
    title: title ?? lastSegment(address.id),
    description: description ?? '',
    ...(address.workspace === undefined ? {} : { workspace: address.workspace }),
  };
}

export async function presentItem(
  { id, modifiedAt }: DocNode,
  scope: DocScope,
  docFiles: DocFiles,
): Promise<DocMetadataResponse> {
  return { ...presentHead(scope.show(id), await readHead(docFiles, id)), modifiedAt: modifiedAt.toISOString() };
}

export async function presentNode(
  { id, type, modifiedAt, children }: DocNode,
  scope: DocScope,
  docFiles: DocFiles,
): Promise<DocTreeNodeResponse> {
  const { shownId, workspace } = scope.show(id);
  const title = type === 'file' ? (await readHead(docFiles, id)).title : undefined;
  const inside: DocTreeNodeResponse[] = [];
  for (const child of children) inside.push(await presentNode(child, scope, docFiles));
  return {
    id: shownId,
    name: lastSegment(id),
    type,
    modifiedAt: modifiedAt.toISOString(),
    ...(title === undefined ? {} : { title }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(type === 'directory' ? { children: inside } : {}),
  };
}

async function readHead(docFiles: DocFiles, id: string): Promise<FrontMatter> {
  return readFrontMatter((await docFiles.read(id))?.text ?? '');
}
