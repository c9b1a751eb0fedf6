import type { DagRevision, DagRevisionRepository, DagRevisionWithText } from './dag-revision';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryDagRevisionRepository(): DagRevisionRepository {
  let rows: readonly DagRevisionWithText[] = [];
  const newestFirst = (fileName: string) =>
    rows.filter((row) => row.fileName === fileName).toSorted((left, right) => right.number - left.number);
  const isSame = (row: DagRevision, { fileName, number }: Pick<DagRevision, 'fileName' | 'number'>) =>
    row.fileName === fileName && row.number === number;
  return {
    list: (fileName) => Promise.resolve(newestFirst(fileName).map(withoutText)),
    findNewest: (fileName) => Promise.resolve(newestFirst(fileName).map(withoutText)[0]),
    find: (fileName, number) => Promise.resolve(rows.find((row) => isSame(row, { fileName, number }))),
    insert: (revision) => {
      if (rows.some((row) => isSame(row, revision))) return Promise.resolve(false);
      rows = [...rows, revision];
      return Promise.resolve(true);
    },
    claim: (revision, by) => {
      const found = rows.find((row) => isSame(row, revision) && row.author === null);
      if (found !== undefined) rows = [...rows.filter((row) => row !== found), { ...found, ...by }];
      return Promise.resolve(found !== undefined);
    },
    move: (fileName, newFileName) => {
      const offset = newestFirst(newFileName)[0]?.number ?? 0;
      rows = rows.map((row) =>
        row.fileName === fileName ? { ...row, fileName: newFileName, number: row.number + offset } : row,
      );
      return Promise.resolve();
    },
    prune: (fileName, keep) => {
      const old = new Set(newestFirst(fileName).slice(keep));
      rows = rows.filter((row) => !old.has(row));
      return Promise.resolve();
    },
  };
}

function withoutText({ text: _text, ...revision }: DagRevisionWithText): DagRevision {
  return revision;
}
