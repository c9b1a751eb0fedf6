import { compareTexts } from '../dags';
import type { DocEntry } from './doc-files';
import { lastSegment } from './doc-path';

export interface DocNode {
  readonly id: string;
  readonly type: 'file' | 'directory';
  /** The time of a directory is that of its newest document. */
  readonly modifiedAt: Date;
  /** Empty for a document. */
  readonly children: readonly DocNode[];
}

export interface DocOrder {
  readonly sort: 'name' | 'type' | 'mtime';
  readonly order: 'asc' | 'desc';
}

/** Builds a tree of documents under the directories of their paths below the root, and sorts each level. */
export function buildDocTree(entries: readonly DocEntry[], root: string, order: DocOrder): readonly DocNode[] {
  return buildLevel(entries, root === '' ? '' : `${root}/`, order);
}

function buildLevel(entries: readonly DocEntry[], prefix: string, order: DocOrder): readonly DocNode[] {
  const files: DocNode[] = [];
  const directories = new Map<string, DocEntry[]>();
  for (const { id, modifiedAt } of entries) {
    const [name = '', ...rest] = id.slice(prefix.length).split('/');
    if (rest.length === 0) {
      files.push({ id, type: 'file', modifiedAt, children: [] });
      continue;
    }
    const inside = directories.get(name) ?? [];
    inside.push({ id, modifiedAt });
    directories.set(name, inside);
  }
  const folders = [...directories].map(([name, inside]): DocNode => {
    const modifiedAt = newestOf(inside);
    const children = buildLevel(inside, `${prefix}${name}/`, order);
    return { id: `${prefix}${name}`, type: 'directory', modifiedAt, children };
  });
  return sortDocs([...folders, ...files], order);
}

type Sortable = DocEntry & { readonly type?: DocNode['type'] };

/** Returns a new list; equal documents are in the order of their names. */
export function sortDocs<Doc extends Sortable>(docs: readonly Doc[], { sort, order }: DocOrder): readonly Doc[] {
  const direction = order === 'asc' ? 1 : -1;
  const byName = (a: Doc, b: Doc): number =>
    compareTexts(lastSegment(a.id).toLowerCase(), lastSegment(b.id).toLowerCase()) || compareTexts(a.id, b.id);
  const byTime = (a: Doc, b: Doc): number => a.modifiedAt.getTime() - b.modifiedAt.getTime();
  const byType = (a: Doc, b: Doc): number => Number(b.type === 'directory') - Number(a.type === 'directory');
  const first = { name: () => 0, type: byType, mtime: byTime }[sort];
  return docs.toSorted((a, b) => direction * (first(a, b) || byName(a, b)));
}

function newestOf(entries: readonly DocEntry[]): Date {
  return entries.reduce((newest, { modifiedAt }) => (modifiedAt > newest ? modifiedAt : newest), new Date(0));
}

/** Arranges the documents as requested: under directories, or as a flat list. */
export function arrangeDocs(
  entries: readonly DocEntry[],
  root: string,
  { isFlat, ...order }: DocOrder & { readonly isFlat: boolean },
): readonly DocNode[] {
  if (!isFlat) return buildDocTree(entries, root, order);
  return sortDocs(
    entries.map(({ id, modifiedAt }): DocNode => ({ id, modifiedAt, type: 'file', children: [] })),
    order,
  );
}
