import { AppError } from '@weir/foundation';

export const revisionChanges = ['created', 'changed', 'renamed', 'restored', 'deleted'] as const;
export type RevisionChange = (typeof revisionChanges)[number];

export interface DagRevision {
  readonly fileName: string;
  /** Rises with time; not every number needs to exist. */
  readonly number: number;
  readonly change: RevisionChange;
  /** Of the text; none where the file was deleted. */
  readonly hash: string | null;
  /** None for what was changed outside of the server. */
  readonly author: string | null;
  /** The one the DAG belonged to, so that texts of other workspaces stay hidden after it has moved. */
  readonly workspace: string | null;
  readonly createdAt: Date;
}

export interface DagRevisionWithText extends DagRevision {
  /** Empty where the file was deleted. */
  readonly text: string;
}

export interface DagRevisionRepository {
  /** Newest first, without their texts. */
  list(fileName: string): Promise<readonly DagRevision[]>;
  findNewest(fileName: string): Promise<DagRevision | undefined>;
  find(fileName: string, number: number): Promise<DagRevisionWithText | undefined>;
  /** False, without a change, when the number is taken. */
  insert(revision: DagRevisionWithText): Promise<boolean>;
  /** Gives a revision without an author its author. False when it has one by now, or does not exist. */
  claim(revision: Pick<DagRevision, 'fileName' | 'number'>, by: RevisionClaim): Promise<boolean>;
  /** Puts the revisions of a file behind those of another name. */
  move(fileName: string, newFileName: string): Promise<void>;
  /** Deletes all but the newest `keep` revisions. */
  prune(fileName: string, keep: number): Promise<void>;
}

export type RevisionClaim = Pick<DagRevision, 'change' | 'author'>;

/** `subject` is the file, as the beginning of a sentence. */
export function revisionNotFound(subject: string, revision: string): AppError {
  return new AppError('not_found', `${subject} has no revision "${revision}".`, { reason: 'revision_not_found' });
}

export function revisionWithoutText(subject: string, revision: string): AppError {
  return new AppError('invalid_request', `${subject} was deleted in revision "${revision}": it has no text.`, {
    reason: 'revision_without_text',
  });
}
