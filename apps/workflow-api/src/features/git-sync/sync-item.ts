import type { SyncItemKind } from '@weir/workflow-contract/schemas';
import { isDagName } from '@weir/workflow-spec';
import { isDocId } from '../docs';

/** The names of a file here and in the repository. */
export interface ItemName {
  readonly itemId: string;
  readonly kind: SyncItemKind;
  /** The name of the DAG file without extension, or the id of the document. */
  readonly name: string;
}

const docFolder = 'docs/';

export function dagItem(name: string): ItemName {
  return { itemId: name, kind: 'dag', name };
}

export function docItem(name: string): ItemName {
  return { itemId: `${docFolder}${name}`, kind: 'doc', name };
}

/** Returns `undefined` for an id that belongs neither to a DAG nor to a document. */
export function parseItemId(itemId: string): ItemName | undefined {
  if (isDagName(itemId)) return dagItem(itemId);
  const name = itemId.startsWith(docFolder) ? itemId.slice(docFolder.length) : '';
  return isDocId(name) ? docItem(name) : undefined;
}

/** Returns the item of a path in the repository; `undefined` for files that are left alone. */
export function parseFilePath(filePath: string): ItemName | undefined {
  const found = /^(?<stem>.+)\.(?<extension>yaml|yml|md)$/.exec(filePath)?.groups;
  const item = parseItemId(found?.stem ?? '');
  const isOfKind = (item?.kind === 'doc') === (found?.extension === 'md');
  return isOfKind ? item : undefined;
}
