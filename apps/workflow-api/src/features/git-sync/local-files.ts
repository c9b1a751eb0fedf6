import { stat } from 'node:fs/promises';
import { isSystemError } from '@weir/foundation';
import type { SyncItemKind } from '@weir/workflow-contract/schemas';
import { unaudited, type Requester } from '../../access/audited-operation';
import { unknownWorkspace, type SpecReader } from '../../dag-parser';
import type { Principal } from '../../access/principal';
import type { DagEditor, DagFileStore, FileMark } from '../dags';
import type { Docs } from '../docs';
import { gitHash } from './git-hash';
import { dagItem, docItem, type ItemName } from './sync-item';

/** A file of this server. */
export interface LocalFile extends ItemName {
  /** The git hash; a file that cannot be read as text has a hash that no content has. */
  readonly hash: string;
  /** Name with extension, as a new file of the repository is called. */
  readonly filePath: string;
}

export interface AcceptedFile extends Requester {
  /** Missing where the file is to be removed. */
  readonly text: string | undefined;
  /** Hash of the content that may be replaced; `undefined` when there must be no file. */
  readonly expected: string | undefined;
}

/**
 * The files of DAGs and documents of this server, changed by the services they belong to. Changes are recorded as parts
 * of a synchronisation.
 */
export interface LocalFiles {
  list(): Promise<ReadonlyMap<string, LocalFile>>;
  /** Returns `undefined` where the file does not exist, or is no text. */
  readText(item: ItemName): Promise<string | undefined>;
  /** Rejects with `revision_changed` where the content has changed meanwhile, and with the errors of the services. */
  accept(item: ItemName, change: AcceptedFile): Promise<void>;
  rename(item: ItemName, newItem: ItemName, principal: Principal): Promise<void>;
  /** Records a synchronisation that leaves the file as it is here, in the workspace of this content. */
  record(item: ItemName, text: string | undefined, requester: Requester): Promise<void>;
  /** Returns the workspace that a content belongs to. */
  workspaceOf(item: ItemName, text: string | undefined, principal: Principal): Promise<string | undefined>;
  modifiedAt(item: LocalFile): Promise<Date | undefined>;
}

export interface LocalFilesPorts {
  readonly store: DagFileStore;
  readonly specs: SpecReader;
  readonly editor: Pick<DagEditor, 'accept' | 'rename'>;
  readonly documents: Pick<Docs, 'docs' | 'docFiles'>;
}

/** The hash of a file that cannot be read: it is never replaced, and never published. */
export const unreadable = 'unreadable';

type OfKind = Omit<LocalFiles, 'list' | 'record'> & { list(): Promise<readonly LocalFile[]> };

export function createLocalFiles(ports: LocalFilesPorts): LocalFiles {
  const kinds: Readonly<Record<SyncItemKind, OfKind>> = { dag: dagFiles(ports), doc: docFilesOf(ports) };
  return {
    list: async () => {
      const all = [...(await kinds.dag.list()), ...(await kinds.doc.list())];
      return new Map(all.map((file) => [file.itemId, file]));
    },
    readText: (item) => kinds[item.kind].readText(item),
    accept: (item, { principal, audit, ...change }) =>
      audit.inPart({ resourceId: item.itemId, principal }, (requester) =>
        kinds[item.kind].accept(item, { ...change, ...requester }),
      ),
    rename: (item, newItem, principal) => kinds[item.kind].rename(item, newItem, principal),
    record: (item, text, { principal, audit }) =>
      audit.inPart({ resourceId: item.itemId, principal }, async (part) => {
        const workspace = await kinds[item.kind].workspaceOf(item, text, principal);
        await part.audit.record({ workspace: workspace ?? null });
      }),
    workspaceOf: (item, text, principal) => kinds[item.kind].workspaceOf(item, text, principal),
    modifiedAt: (item) => kinds[item.kind].modifiedAt(item),
  };
}

const isHash = (expected: string | undefined) => (text: string | undefined) =>
  (text === undefined ? undefined : gitHash(text)) === expected;

function dagFiles({ store, specs, editor }: LocalFilesPorts): OfKind {
  // Files are read again only when they have changed.
  let known: ReadonlyMap<string, { readonly mark: FileMark; readonly file: LocalFile }> = new Map();
  const read = async (name: string): Promise<{ readonly mark: FileMark; readonly file: LocalFile } | undefined> => {
    const mark = await store.readMark(name);
    const former = known.get(name);
    if (former !== undefined && mark !== undefined && former.mark === mark) return former;
    const found = await store.read(name);
    if (found === undefined) return undefined;
    const extension = found.filePath.slice(found.filePath.lastIndexOf('.'));
    const hash = found.kind === 'text' ? gitHash(found.text) : unreadable;
    return { mark: found.mark, file: { ...dagItem(name), hash, filePath: `${name}${extension}` } };
  };
  return {
    list: async () => {
      const { fileNames } = await store.list();
      const files = new Map<string, { readonly mark: FileMark; readonly file: LocalFile }>();
      for (const name of fileNames) {
        const found = await read(name);
        if (found !== undefined) files.set(name, found);
      }
      known = files;
      return [...files.values()].map(({ file }) => file);
    },
    readText: async ({ name }) => {
      const file = await store.read(name);
      return file?.kind === 'text' ? file.text : undefined;
    },
    accept: ({ name }, { text, expected, principal }) =>
      editor.accept(name, { text, principal, isExpected: isHash(expected) }),
    rename: ({ name }, newItem, principal) => editor.rename(name, newItem.name, { principal, audit: unaudited }),
    workspaceOf: async ({ name }, text) => {
      return text === undefined ? unknownWorkspace : (await specs.parse(text, { name })).dag.workspace;
    },
    modifiedAt: async ({ name }) => {
      const file = await store.read(name);
      return file && (await modifiedAt(file.filePath));
    },
  };
}

function docFilesOf({ documents: { docs, docFiles } }: LocalFilesPorts): OfKind {
  return {
    list: async () => {
      const files: LocalFile[] = [];
      for (const { id } of await docFiles.list('')) {
        const text = (await docFiles.read(id))?.text;
        const item = docItem(id);
        files.push({ ...item, hash: text === undefined ? unreadable : gitHash(text), filePath: `${item.itemId}.md` });
      }
      return files;
    },
    readText: async ({ name }) => (await docFiles.read(name))?.text,
    accept: ({ name }, { text, expected, principal }) =>
      docs.accept(name, { text, principal, isExpected: isHash(expected) }),
    rename: ({ name }, newItem, principal) =>
      docs.rename(name, newItem.name, { query: { workspaceScope: 'all' }, principal, audit: unaudited }),
    workspaceOf: ({ name }, _text, principal) => docs.workspaceOf(name, principal),
    modifiedAt: async ({ name }) => (await docFiles.read(name))?.updatedAt,
  };
}

async function modifiedAt(filePath: string): Promise<Date | undefined> {
  try {
    return (await stat(filePath)).mtime;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}
