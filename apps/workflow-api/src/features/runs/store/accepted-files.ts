import type { DbTransaction } from '@weir/workflow-db';

/** A file that has started a run of a DAG. */
export interface AcceptedFile {
  readonly dagName: string;
  /** SHA-256 of the path and the content, as lower-case hex. */
  readonly key: string;
  /** SHA-256 of the path. */
  readonly place: string;
  readonly path: string;
  /** The size and times of the file when it was accepted. */
  readonly mark: string;
  readonly dagRunId: string;
  readonly acceptedAt: Date;
  /** When the file was last there. */
  readonly seenAt: Date;
}

/** The files that have started runs; they are stored in the transaction that stores the run. */
export interface AcceptedFiles {
  /** Lists what was accepted at these places of a DAG. */
  list(dagName: string, places: readonly string[]): Promise<readonly AcceptedFile[]>;
  /** Stores that an accepted content has other times now. */
  remark(dagName: string, key: string, mark: string): Promise<void>;
  /** Stores that the files at these places were there at this time. */
  see(dagName: string, places: readonly string[], at: Date): Promise<void>;
  /** Lists, by name, the next DAGs after this one that have files that were not there since this time. */
  listDagsAfter(after: string | undefined, before: Date, limit: number): Promise<readonly string[]>;
  /** Deletes files of a DAG that were not there since this time. */
  prune(dagName: string, before: Date): Promise<void>;
}

const placesPerStatement = 500;

export function createPrismaAcceptedFiles(db: Pick<DbTransaction, 'acceptedFile'>): AcceptedFiles {
  return {
    list: async (dagName, places) => {
      const found: AcceptedFile[] = [];
      for (const some of inParts(places)) {
        found.push(...(await db.acceptedFile.findMany({ where: { dagName, place: { in: [...some] } } })));
      }
      return found;
    },
    remark: async (dagName, key, mark) => {
      await db.acceptedFile.updateMany({ where: { dagName, key }, data: { mark } });
    },
    see: async (dagName, places, seenAt) => {
      for (const some of inParts(places)) {
        await db.acceptedFile.updateMany({ where: { dagName, place: { in: [...some] } }, data: { seenAt } });
      }
    },
    listDagsAfter: async (after, before, limit) => {
      const rows = await db.acceptedFile.groupBy({
        by: ['dagName'],
        // The database compares the names, because it also sorts them.
        where: { seenAt: { lt: before }, ...(after === undefined ? {} : { dagName: { gt: after } }) },
        orderBy: { dagName: 'asc' },
        take: limit,
      });
      return rows.map(({ dagName }) => dagName);
    },
    prune: async (dagName, before) => {
      await db.acceptedFile.deleteMany({ where: { dagName, seenAt: { lt: before } } });
    },
  };
}

export function createInMemoryAcceptedFiles(rows: Map<string, AcceptedFile>): AcceptedFiles {
  const at = (dagName: string, places: readonly string[]) =>
    [...rows].filter(([, row]) => row.dagName === dagName && places.includes(row.place));
  return {
    list: (dagName, places) => Promise.resolve(at(dagName, places).map(([, row]) => row)),
    remark: (dagName, key, mark) => {
      for (const [id, row] of rows) if (row.dagName === dagName && row.key === key) rows.set(id, { ...row, mark });
      return Promise.resolve();
    },
    see: (dagName, places, seenAt) => {
      for (const [id, row] of at(dagName, places)) rows.set(id, { ...row, seenAt });
      return Promise.resolve();
    },
    listDagsAfter: (after = '', before, limit) => {
      const found = [...rows.values()].filter(({ dagName, seenAt }) => seenAt < before && dagName > after);
      return Promise.resolve([...new Set(found.map(({ dagName }) => dagName))].sort().slice(0, limit));
    },
    prune: (dagName, before) => {
      for (const [id, row] of rows) if (row.dagName === dagName && row.seenAt < before) rows.delete(id);
      return Promise.resolve();
    },
  };
}

function inParts(places: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(places.length / placesPerStatement);
  return Array.from({ length: count }, (_, index) =>
    places.slice(index * placesPerStatement, (index + 1) * placesPerStatement),
  );
}
