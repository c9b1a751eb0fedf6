import fc from 'fast-check';
import { maxSubjectBytes, parseSubject, subjectByteLength, subjectForms } from './subject';

const octoRepo = { owner: 'octo-org', name: 'octo-repo' };
const workflow = {
  repository: { owner: 'octo-org', name: 'automation' },
  path: '.github/workflows/deploy.yml',
  ref: 'refs/heads/main',
};
const workflowText = 'octo-org/automation/.github/workflows/deploy.yml@refs/heads/main';

describe('parseSubject', () => {
  it.each([
    ['repo:octo-org/octo-repo:ref:refs/heads/main', { kind: 'ref', repository: octoRepo, ref: 'refs/heads/main' }],
    ['repo:octo-org/octo-repo:ref:refs/tags/v1@x', { kind: 'ref', repository: octoRepo, ref: 'refs/tags/v1@x' }],
    [
      'repo:octo-org/octo-repo:environment:Production West',
      { kind: 'environment', repository: octoRepo, environment: 'Production West' },
    ],
    [
      'repo:octo-org/octo-repo:environment:eu%3Aprod',
      { kind: 'environment', repository: octoRepo, environment: 'eu%3Aprod' },
    ],
    ['repo:octo-org/octo-repo:pull_request', { kind: 'pull_request', repository: octoRepo }],
    [
      'repo:octo-org@12/octo-repo@345:ref:refs/heads/main',
      { kind: 'ref', repository: { ...octoRepo, ownerId: '12', nameId: '345' }, ref: 'refs/heads/main' },
    ],
    [`job_workflow_ref:${workflowText}`, { kind: 'job_workflow_ref', workflow }],
    [
      `repo:octo-org/octo-repo:job_workflow_ref:${workflowText}`,
      { kind: 'job_workflow_ref', workflow, repository: octoRepo },
    ],
    [
      `repo:octo-org/octo-repo:environment:prod:job_workflow_ref:${workflowText}`,
      {
        kind: 'job_workflow_ref',
        workflow,
        repository: octoRepo,
        context: { kind: 'environment', repository: octoRepo, environment: 'prod' },
      },
    ],
    [
      `repo:octo-org/octo-repo:pull_request:job_workflow_ref:${workflowText}`,
      {
        kind: 'job_workflow_ref',
        workflow,
        repository: octoRepo,
        context: { kind: 'pull_request', repository: octoRepo },
      },
    ],
  ])('reads %s', (sub, expected) => {
    expect(parseSubject(sub)).toEqual(expected);
  });

  it.each([
    [''],
    ['repo'],
    ['repo:octo-org/octo-repo'],
    ['repo:octo-org/octo-repo:ref:'],
    ['repo:octo-org/octo-repo:ref'],
    ['repo:octo-org:ref:refs/heads/main'],
    ['repo:octo-org/a/b:ref:refs/heads/main'],
    ['repo:/octo-repo:ref:refs/heads/main'],
    ['repo:octo-org/octo-repo:pull_request:'],
    ['repo:octo-org/octo-repo:environment:prod:ref:refs/heads/main'],
    ['repo:octo-org@12/octo-repo:ref:refs/heads/main'],
    ['repo:octo-org@x/octo-repo@1:ref:refs/heads/main'],
    ['REPO:octo-org/octo-repo:ref:refs/heads/main'],
    [' repo:octo-org/octo-repo:ref:refs/heads/main'],
    ['repo:octo-org/octo-repo\n:ref:refs/heads/main'],
    ['repository_owner:octo-org'],
    ['job_workflow_ref:octo-org/automation'],
    ['job_workflow_ref:octo-org/automation/@refs/heads/main'],
    ['job_workflow_ref:octo-org/automation/x.yml@'],
    [`job_workflow_ref:${workflowText}:ref:refs/heads/main`],
    [`actor:octocat:job_workflow_ref:${workflowText}`],
    ['project_path:group/project:ref_type:branch:ref:main'],
  ])('leaves %p unread', (sub) => {
    expect(parseSubject(sub)).toEqual({ kind: 'other', text: sub });
  });

  const name = fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/);
  const value = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((text) => !text.includes(':'));

  it('returns the parts of a ref or environment subject', () => {
    fc.assert(
      fc.property(name, name, value, (owner, repository, text) => {
        const place = `repo:${owner}/${repository}`;
        const expected = { owner, name: repository };
        expect(parseSubject(`${place}:ref:${text}`)).toEqual({ kind: 'ref', repository: expected, ref: text });
        expect(parseSubject(`${place}:environment:${text}`)).toEqual({
          kind: 'environment',
          repository: expected,
          environment: text,
        });
      }),
    );
  });

  it('never names a repository that the text does not start with', () => {
    const piece = fc.constantFrom(
      'repo:',
      'a/b',
      ':',
      'ref',
      'environment',
      'pull_request',
      '@1',
      'job_workflow_ref:',
      'x',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (sub) => {
        const subject = parseSubject(sub);
        if (subject.kind === 'other') expect(subject.text).toBe(sub);
        else if (subject.repository !== undefined) {
          const { owner, name: repository, ownerId, nameId } = subject.repository;
          const place =
            ownerId === undefined ? `${owner}/${repository}` : `${owner}@${ownerId}/${repository}@${String(nameId)}`;
          expect(sub.startsWith(`repo:${place}:`)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('subjectByteLength', () => {
  it('counts bytes, not characters', () => {
    expect(subjectByteLength('é€😀')).toBe(9);
  });

  it('finds a subject over the limit of the token exchange that has fewer characters', () => {
    const sub = `repo:o/r:environment:${'ü'.repeat(60)}`;
    expect(sub.length).toBeLessThan(maxSubjectBytes);
    expect(subjectByteLength(sub)).toBeGreaterThan(maxSubjectBytes);
  });
});

describe('subjectForms', () => {
  const ids = { repository_owner_id: '12', repository_id: '345' };
  const names = 'repo:octo-org/octo-repo:environment:prod:job_workflow_ref:a/b/c@refs/heads/main';
  const withIds = 'repo:octo-org@12/octo-repo@345:environment:prod:job_workflow_ref:a/b/c@refs/heads/main';

  it.each([
    ['names', { sub: names, ...ids }, { names, ids: withIds }],
    ['ids, with or without the claims', { sub: withIds }, { names, ids: withIds }],
    ['names, without the claims', { sub: names }, { names, ids: undefined }],
    [
      'ids that are not the claims of text',
      { sub: names, repository_owner_id: 12, repository_id: 345 },
      { names, ids: undefined },
    ],
  ])('gives both of a subject of %s', (_, claims, forms) => {
    expect(subjectForms(claims)).toEqual(forms);
  });

  it.each([[undefined], [7], [''], ['job_workflow_ref:a/b/c@main'], ['repo:octo-org:ref:x'], ['repo:a@1/b:ref:x']])(
    'gives none of %j',
    (sub) => {
      expect(subjectForms({ sub, ...ids })).toBeUndefined();
    },
  );
});
