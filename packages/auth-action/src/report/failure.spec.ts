/** @jest-environment node */
import { AppError } from '@weir/foundation';
import { temporaryFolder } from '@weir/test-kit';
import { writeFileSync } from 'node:fs';
import { someSettings } from '../testing/settings';
import { explainFailure } from './failure';
import type { FailureContext } from './failure-explanation';

jest.mock('./explain-cause.js', () => {
  throw new Error("Cannot find module 'causes.js'");
});

describe('explainFailure', () => {
  const explain = (reason: string, context: Partial<FailureContext> = {}) =>
    explainFailure(new AppError('invalid_request', 'It failed.', { reason }), {
      env: {},
      settings: undefined,
      oidcToken: undefined,
      ...context,
    });

  it('reports only the message of an input error, and loads no causes for it', async () => {
    const onlyMessage = { message: 'It failed.', cause: undefined, nextStep: undefined, hints: [], fixes: [] };
    expect(await explain('provider_invalid')).toEqual(onlyMessage);
    await expect(explain('network_unreachable')).rejects.toMatchObject({ reason: 'action_file_missing' });
  });

  it('explains empty secrets if the inputs are invalid', async () => {
    const folder = temporaryFolder();
    const env = { GITHUB_EVENT_PATH: folder.file('event.json') };
    const pullRequest = { head: { repo: { full_name: 'else/app' } }, base: { repo: { full_name: 'octo/app' } } };
    writeFileSync(env.GITHUB_EVENT_PATH, JSON.stringify({ pull_request: pullRequest }));

    const hint = 'This run is for a pull request from a fork, where secrets are empty.';
    expect(await explain('mode_missing', { env })).toMatchObject({ hints: [hint] });
    expect(await explain('key_unusable', { env, settings: someSettings() })).toMatchObject({ hints: [] });
    await folder.remove();
  });
});
