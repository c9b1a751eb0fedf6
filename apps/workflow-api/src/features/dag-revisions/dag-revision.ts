import { AppError } from '@weir/foundation';

export const revisionChanges = ['created', 'changed', 'renamed', 'restored', 'deleted'] as const;
export type RevisionChange = (typeof revisionChanges)[number];

export interface DagRevision {
  readonly fileName: string;
  /** Numbers rise with time, and may have gaps. */
  readonly number: number;
  readonly change: RevisionChange;
  /** The hash of the text; null where the file was deleted. */
  readonly hash: string | null;
  /** Null for changes that were made outside of the server. */
  readonly author: string | null;
  /** The workspace of the DAG at that time, so that texts of other workspaces stay hidden after it has moved. */
  readonly workspace: string | null;
  readonly createdAt: Date;
}

export interface DagRevisionWithText extends DagRevision {
  /** The text is empty where the file was deleted. */
  readonly text: string;
}

export interface DagRevisionRepository {
  /** Lists the newest first, without their texts. */
  list(fileName: string): Promise<readonly DagRevision[]>;
  findNewest(fileName: string): Promise<DagRevision | undefined>;
  find(fileName: string, number: number): Promise<DagRevisionWithText | undefined>;
  /** Returns false, without a change, when the number is taken. */
  insert(revision: DagRevisionWithText): Promise<boolean>;
  /** Gives a revision without an author its author. Returns false when it has an author, or does not exist. */
  claim(revision: Pick<DagRevision, 'fileName' | 'number'>, by: RevisionClaim): Promise<boolean>;
  /** Moves the revisions of a file to another name, behind the revisions of that name. */
  move(fileName: string, newFileName: string): Promise<void>;
  /** Deletes all but the newest `keep` revisions. */
  prune(fileName: string, keep: number): Promise<void>;
}

export type RevisionClaim = Pick<DagRevision, 'change' | 'author'>;

/** `subject` names the file as the beginning of a sentence. */
export function revisionNotFound(subject: string, revision: string): AppError {
  return new AppError('not_found', `${subject} has no revision "${revision}".`, { reason: 'revision_not_found' });
}

export function revisionWithoutText(subject: string, revision: string): AppError {
  return new AppError('invalid_request', `${subject} was deleted in revision "${revision}": it has no text.`, {
    reason: 'revision_without_text',
  });
}
