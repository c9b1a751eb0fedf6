/** The maximum size of `google.subject` in UTF-8 bytes, as Google's token exchange accepts it. */
export const maxSubjectBytes = 127;

/** A repository as the subject names it. */
export interface SubjectRepository {
  readonly owner: string;
  readonly name: string;
  /** Immutable ids in decimal digits, present in subjects of the form `repo:<owner>@<id>/<name>@<id>`. */
  readonly ownerId?: string;
  readonly nameId?: string;
}

/** A workflow file: `<owner>/<name>/<path>@<ref>`. */
export interface WorkflowFile {
  readonly repository: SubjectRepository;
  /** Path inside the repository: `.github/workflows/deploy.yml`. */
  readonly path: string;
  /** Git ref or commit id the file was read at. */
  readonly ref: string;
}

/** `repo:<owner>/<name>:ref:<ref>` */
export interface RefSubject {
  readonly kind: 'ref';
  readonly repository: SubjectRepository;
  /** Full git ref: `refs/heads/main`. */
  readonly ref: string;
}

/** `repo:<owner>/<name>:environment:<environment>` */
export interface EnvironmentSubject {
  readonly kind: 'environment';
  readonly repository: SubjectRepository;
  /** The name as in the subject, in which the platform writes `%3A` for a colon. */
  readonly environment: string;
}

/** `repo:<owner>/<name>:pull_request` */
export interface PullRequestSubject {
  readonly kind: 'pull_request';
  readonly repository: SubjectRepository;
}

/**
 * A subject customised to name the workflow file: `job_workflow_ref:<file>`, `repo:<owner>/<name>:job_workflow_ref:
 * <file>`, or one of the forms above followed by `:job_workflow_ref:<file>`.
 */
export interface JobWorkflowSubject {
  readonly kind: 'job_workflow_ref';
  readonly workflow: WorkflowFile;
  /** The repository whose job this is, when the subject names it. It may differ from the workflow's. */
  readonly repository?: SubjectRepository;
  /** The form in front of the workflow, when there is one. */
  readonly context?: RefSubject | EnvironmentSubject | PullRequestSubject;
}

/** Any other text: another customization, or another CI provider. */
export interface OtherSubject {
  readonly kind: 'other';
  readonly text: string;
}

export type OidcSubject = RefSubject | EnvironmentSubject | PullRequestSubject | JobWorkflowSubject | OtherSubject;

type Context = RefSubject | EnvironmentSubject | PullRequestSubject;

const workflowKey = 'job_workflow_ref:';

/**
 * Parses the `sub` claim of a CI token. Never throws: a text that is not exactly one of the known forms, or is ambiguous
 * because a value contains a colon, is `other`.
 */
export function parseSubject(sub: string): OidcSubject {
  return parseContext(sub) ?? parseJobWorkflow(sub) ?? { kind: 'other', text: sub };
}

/** The two forms of the subject of a repository's job. */
export interface SubjectForms {
  /** `repo:<owner>/<name>:…`, of repositories from before July 2026 that were not renamed since. */
  readonly names: string;
  /** `repo:<owner>@<id>/<name>@<id>:…`; `undefined` without the claims `repository_owner_id` and `repository_id`. */
  readonly ids: string | undefined;
}

/**
 * Both forms of a subject, with any customization that follows the repository, from the claims of one token. `undefined`
 * where the subject does not begin with a repository.
 */
export function subjectForms(claims: Readonly<Record<string, unknown>>): SubjectForms | undefined {
  const { sub, repository_owner_id: ownerId, repository_id: nameId } = claims;
  if (typeof sub !== 'string') return undefined;
  const [, repositoryText = '', rest = ''] = /^repo:([^:]*)(.*)$/s.exec(sub) ?? [];
  const repository = parseRepository(repositoryText);
  if (repository === undefined) return undefined;
  const { owner, name } = repository;
  const ids = { owner: repository.ownerId ?? ownerId, name: repository.nameId ?? nameId };
  return {
    names: `repo:${owner}/${name}${rest}`,
    ids: isId(ids.owner) && isId(ids.name) ? `repo:${owner}@${ids.owner}/${name}@${ids.name}${rest}` : undefined,
  };
}

/** Length of a subject in UTF-8 bytes, the unit of {@link maxSubjectBytes}. */
export function subjectByteLength(sub: string): number {
  return new TextEncoder().encode(sub).length;
}

function parseContext(text: string): Context | undefined {
  const [repo, repositoryText, key, value, ...more] = text.split(':', 5);
  if (repo !== 'repo' || repositoryText === undefined || more.length > 0) return undefined;
  const repository = parseRepository(repositoryText);
  if (repository === undefined) return undefined;
  if (key === 'pull_request' && value === undefined) return { kind: 'pull_request', repository };
  if (value === undefined || value === '') return undefined;
  if (key === 'ref') return { kind: 'ref', repository, ref: value };
  if (key === 'environment') return { kind: 'environment', repository, environment: value };
  return undefined;
}

function parseJobWorkflow(text: string): JobWorkflowSubject | undefined {
  if (text.startsWith(workflowKey)) {
    const workflow = parseWorkflowFile(text.slice(workflowKey.length));
    return workflow && { kind: 'job_workflow_ref', workflow };
  }
  const at = text.indexOf(`:${workflowKey}`);
  if (at < 0) return undefined;
  const workflow = parseWorkflowFile(text.slice(at + 1 + workflowKey.length));
  if (workflow === undefined) return undefined;
  const before = text.slice(0, at);
  const context = parseContext(before);
  if (context !== undefined) return { kind: 'job_workflow_ref', workflow, repository: context.repository, context };
  const repository = before.startsWith('repo:') ? parseRepository(before.slice('repo:'.length)) : undefined;
  return repository && { kind: 'job_workflow_ref', workflow, repository };
}

function parseWorkflowFile(text: string): WorkflowFile | undefined {
  if (text.includes(':')) return undefined;
  const [owner = '', name = '', ...path] = text.split('/');
  const rest = path.join('/');
  // The workflow path is a plain file name, so the first `@` after the repository starts the git ref, which may contain
  // `@` too.
  const at = rest.indexOf('@');
  const repository = parseRepository(`${owner}/${name}`);
  if (repository === undefined || at <= 0 || at === rest.length - 1) return undefined;
  return { repository, path: rest.slice(0, at), ref: rest.slice(at + 1) };
}

function parseRepository(text: string): SubjectRepository | undefined {
  const [owner, name, ...more] = text.split('/');
  if (owner === undefined || name === undefined || more.length > 0) return undefined;
  const [ownerName, ownerId] = splitId(owner);
  const [repositoryName, nameId] = splitId(name);
  if (!isName(ownerName) || !isName(repositoryName)) return undefined;
  if (ownerId === undefined && nameId === undefined) return { owner: ownerName, name: repositoryName };
  // The subject contains both ids or neither, and an id has digits only.
  if (!isId(ownerId) || !isId(nameId)) return undefined;
  return { owner: ownerName, name: repositoryName, ownerId, nameId };
}

function splitId(text: string): readonly [name: string, id: string | undefined] {
  const at = text.indexOf('@');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

const isName = (text: string): boolean => /^[A-Za-z0-9._-]+$/.test(text);

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9]+$/.test(value);
