import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readWorkflow, toSteps, type WorkflowJob } from '@weir/actions-runner';
import type { FakeCloudOptions } from '@weir/fake-cloud';
import { describeUnless, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { parse, stringify } from 'yaml';
import { publishThisCheckout, type PublishedAction } from './testing/published-action';
import { findRunnerNode } from './testing/runner-node';

const repository = 'acme/weir-cloud-auth';
const missing = ['git', 'bash'].find((program) => spawnSync(program, ['--version']).status !== 0);

/** The subject of a job before July 2026, and that of one in a repository that was created or renamed since. */
const subjects = {
  names: 'repo:example-org/example-repo:ref:refs/heads/main',
  ids: 'repo:example-org@2002/example-repo@1001:ref:refs/heads/main',
} as const;
type Form = keyof typeof subjects;
const forms: readonly Form[] = ['names', 'ids'];

interface Cloud {
  /** The page of the published repository with the workflow. */
  readonly page: string;
  /** A program of the workflow, or one that its jobs start, and what it needs. */
  readonly tool: readonly [name: string, needs: string];
  /** A trust condition that accepts these subjects only. */
  readonly trusting: (accepted: readonly string[]) => FakeCloudOptions;
  /** The subjects in the conditions of the page, if it has any. */
  readonly documented: (page: string) => readonly string[];
  /** What the summary of a refused job has, besides the subject: the command and the condition that accepts the job. */
  readonly fix: (form: Form) => readonly string[];
}

const clouds: Readonly<Record<string, Cloud>> = {
  'Google Cloud': {
    page: 'docs/setup.md',
    tool: ['gcloud', '[ -r "$GOOGLE_APPLICATION_CREDENTIALS" ]'],
    trusting: (accepted) => ({
      provider: 'projects/123456789012/locations/global/workloadIdentityPools/ci-pool/providers/github',
      attributeCondition: ({ sub }) => accepted.includes(String(sub)),
    }),
    // The page has a condition on the id of the owner, which both forms meet.
    documented: () => forms.map((form) => subjects[form]),
    fix: () => ['providers update-oidc github', `assertion.repository_id == "1001"`],
  },
  AWS: {
    page: 'docs/aws.md',
    tool: ['aws', '[ -r "$AWS_WEB_IDENTITY_TOKEN_FILE" ] && [ -n "$AWS_ROLE_ARN" ]'],
    trusting: (accepted) => ({
      awsRoles: [
        {
          arn: 'arn:aws:iam::123456789012:role/deployer',
          audience: 'sts.amazonaws.com',
          subject: new RegExp(`^(?:${accepted.map((text) => text.replaceAll('.', '\\.')).join('|')})$`),
          maximumSessionSeconds: 3600,
        },
      ],
    }),
    documented: (page) => {
      const [, policy = '{}'] = /^```json\n([^]*?)^```$/m.exec(page) ?? [];
      const { Statement: statements } = JSON.parse(policy) as {
        readonly Statement: readonly {
          readonly Condition: { readonly StringEquals: Readonly<Record<string, readonly string[]>> };
        }[];
      };
      return statements.flatMap(
        ({ Condition: { StringEquals: keys } }) => keys['token.actions.githubusercontent.com:sub'] ?? [],
      );
    },
    fix: (form) => [
      'aws iam update-assume-role-policy --role-name deployer',
      `"token.actions.githubusercontent.com:sub":"${subjects[form]}"`,
    ],
  },
  Azure: {
    page: 'docs/azure.md',
    tool: ['terraform', '[ -r "$ARM_OIDC_TOKEN_FILE_PATH" ] && [ -n "$ARM_SUBSCRIPTION_ID" ]'],
    trusting: ([subject = '', ...moreSubjects]) => ({
      azureApps: [
        {
          tenantId: '11111111-1111-4111-8111-111111111111',
          clientId: '22222222-2222-4222-8222-222222222222',
          audience: 'api://AzureADTokenExchange',
          subject,
          moreSubjects,
        },
      ],
    }),
    documented: (page) => [...page.matchAll(/"subject":"([^"]+)"/g)].map(([, subject = '']) => subject),
    fix: (form) => ['az ad app federated-credential create --id 22222222', `"subject":"${subjects[form]}"`],
  },
};

describeUnless(missing && `${missing} is not installed`, 'the workflows')(
  'a workflow with the published action',
  () => {
    let published: PublishedAction;
    let folder: TemporaryFolder;
    beforeAll(() => {
      published = publishThisCheckout(repository);
      folder = temporaryFolder('weir-workflows-');
      mkdirSync(folder.file('tools'));
      for (const [name, needs] of Object.values(clouds).map(({ tool }) => tool)) {
        writeFileSync(folder.file('tools', name), `#!/bin/sh\n${needs}\n`);
        chmodSync(folder.file('tools', name), 0o755);
      }
    });
    afterAll(async () => {
      await published.remove();
      await folder.remove();
    });

    const readPage = (name: string, of: string): string =>
      readFileSync(path.join(published.fetch('v0', `${of}-pages`), name), 'utf8');

    /** The first job of the page in a workflow file of the user. */
    function writeWorkflow(page: string, name: string): WorkflowJob {
      const [, yaml = ''] = /^```yaml\n([^]*?)^```$/m.exec(page) ?? [];
      const deploy = { 'runs-on': 'ubuntu-latest', ...(parse(yaml) as object) };
      const file = folder.file(`${name}.yml`);
      writeFileSync(file, stringify({ name: 'Deploy', on: 'push', jobs: { deploy } }));
      const job = readWorkflow(file).deploy;
      if (job?.permissions?.['id-token'] !== 'write') throw new Error(`The job on the page of ${name} gets no token.`);
      return job;
    }

    describe.each(Object.entries(clouds))('for %s', (name, cloud) => {
      let page: string;
      let job: WorkflowJob;
      beforeAll(() => {
        page = readPage(cloud.page, name.replace(' ', '-'));
        job = writeWorkflow(page, name);
      });

      for (const major of [20, 24]) {
        const found = findRunnerNode(major);
        const node = 'node' in found ? found.node : '';

        /** Fetches what `uses` names from the published repository. */
        const run = (accepted: readonly string[], subject: Form) =>
          published.runJob({
            node,
            cloud: { ...cloud.trusting(accepted), claims: { sub: subjects[subject] } },
            env: { PATH: [folder.file('tools'), process.env.PATH].join(path.delimiter) },
            steps: (_, fetch) => [
              ...toSteps(job, {
                findAction: (uses) => {
                  const [action = '', ref = ''] = uses.split('@', 2);
                  if (action === 'actions/checkout') return undefined;
                  if (action !== repository) throw new Error(`${uses} is not expected on the page.`);
                  return { action: fetch(ref), uses: { repository, ref } };
                },
              }),
              { program: cloud.tool[0] },
            ],
          });

        describeUnless('node' in found ? undefined : found.missing, 'a runner')(`on Node ${major}`, () => {
          it.each(forms)(
            'gives a job with a subject of %s its credentials, with the condition of the page',
            async (form) => {
              const end = await run(cloud.documented(page), form);

              expect(end.log).not.toContain('##[error]');
              expect(end.outcome).toBe('success');
              expect(end.leaks).toEqual([]);
            },
          );

          it.each(forms)('gives a job its credentials if condition and subject have %s', async (form) => {
            const end = await run([subjects[form]], form);

            expect(end.outcome).toBe('success');
            expect(end.leaks).toEqual([]);
          });

          it.each([
            ['names', 'ids'],
            ['ids', 'names'],
          ] as const)(
            'refuses, for a condition by %s, a subject of %s, and prints the condition that accepts it',
            async (condition, subject) => {
              const end = await run([subjects[condition]], subject);
              const summary = end.steps.map((step) => step.summary).join('');

              expect(end.steps.map(({ outcome }) => outcome).slice(0, 2)).toEqual(['failure', 'skipped']);
              expect(end.log).toContain(`sub: "${subjects[subject]}"`);
              if (subject === 'ids') {
                expect(end.log).toContain(
                  `A condition for ${subjects.names} does not match it: write ${subjects.ids}.`,
                );
              }
              for (const text of cloud.fix(subject)) expect(summary).toContain(text);
              expect(end.leftovers.filter(({ path: file }) => /gha-(?:creds|tokens)-/.test(file))).toEqual([]);
              expect(end.leaks).toEqual([]);
            },
          );
        });
      }
    });
  },
);
