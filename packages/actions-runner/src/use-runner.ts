import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runSteps } from './run-steps';
import type { RunnerResult, RunnerStep, RunStepsOptions } from './runner-types';

export interface ActionScripts {
  readonly main: string;
  readonly post?: string;
  readonly postIf?: string;
  readonly inputs?: string;
}

export interface TestRunner {
  readonly folder: TemporaryFolder;
  readonly workspace: string;
  /** Creates an action in a folder of its own and returns the folder. */
  readonly anAction: (scripts: ActionScripts) => string;
  readonly run: (steps: readonly RunnerStep[], options?: Partial<RunStepsOptions>) => Promise<RunnerResult>;
}

const append = `
const { appendFileSync } = require('node:fs');
const add = (file, text) => appendFileSync(process.env['GITHUB_' + file], text);
`;

/** A new folder and workspace for each case. */
export function useRunner(): TestRunner {
  let folder: TemporaryFolder;
  let workspace: string;
  let actions = 0;
  beforeEach(() => {
    folder = temporaryFolder();
    workspace = folder.file('workspace');
    mkdirSync(workspace);
  });
  afterEach(() => folder.remove());
  return {
    get folder() {
      return folder;
    },
    get workspace() {
      return workspace;
    },
    anAction: (scripts) => {
      actions += 1;
      const actionFolder = folder.file(`action-${actions}`);
      mkdirSync(actionFolder);
      writeAction(actionFolder, scripts);
      return actionFolder;
    },
    run: (steps, options = {}) => runSteps({ workspace, node: process.execPath, steps, ...options }),
  };
}

function writeAction(folder: string, { main, post, postIf, inputs = '{}' }: ActionScripts): void {
  const lines = [
    `name: test-action`,
    `inputs: ${inputs}`,
    `runs:`,
    `  using: node24`,
    `  main: main.js`,
    ...(post === undefined ? [] : ['  post: post.js']),
    ...(postIf === undefined ? [] : [`  post-if: ${postIf}`]),
  ];
  writeFileSync(path.join(folder, 'action.yml'), lines.join('\n'));
  writeFileSync(path.join(folder, 'main.js'), append + main);
  if (post !== undefined) writeFileSync(path.join(folder, 'post.js'), append + post);
}
