import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyWorkspace } from './workspace-copy';

jest.setTimeout(190_000);

interface Sample {
  title: string;
  /** An existing file; its text is replaced in a copy of the workspace. */
  file: string;
  text: string;
  /** The expected finding of the linter, or undefined when it must report nothing. */
  refusal?: { rule: string; message: RegExp };
}

/** A finding in the linter's format. */
interface Finding {
  filename: string;
  code: string;
  message: string;
  help?: string;
}

const boundary = (message: RegExp) => ({ rule: '@nx(enforce-module-boundaries)', message });

const samples: Sample[] = [
  {
    title: 'refuses a foundation package that imports express',
    file: 'packages/tensor-dict/src/index.ts',
    text: `import express from 'express';\nexport const application = express();\n`,
    refusal: boundary(/"type:foundation" is not allowed to import "express"/),
  },
  {
    title: 'refuses a domain package that imports a data package',
    file: 'packages/workflow-engine/src/index.ts',
    text: `import { createDatabase } from '@weir/workflow-db';\nexport const open = createDatabase;\n`,
    refusal: boundary(/"type:domain" can only depend on libs tagged with "type:foundation", "type:domain"/),
  },
  {
    title: 'refuses a kit package that imports a domain package',
    file: 'packages/service-kit/src/index.ts',
    text: `import { parseDag } from '@weir/workflow-spec';\nexport const parse = parseDag;\n`,
    refusal: boundary(/"type:kit" can only depend on libs tagged with "type:foundation"/),
  },
  {
    title: 'refuses a shared package that imports a product',
    file: 'packages/test-kit/src/index.ts',
    text: `import { roles } from '@weir/workflow-contract';\nexport const known = roles;\n`,
    refusal: boundary(/"scope:shared" can only depend on libs tagged with "scope:shared"/),
  },
  {
    title: 'refuses a source that imports the test kit',
    file: 'packages/workflow-db/src/index.ts',
    text: `import { createManualClock } from '@weir/test-kit';\nexport const clock = createManualClock;\n`,
    refusal: boundary(/"type:data" can only depend on libs tagged with "type:foundation"/),
  },
  {
    title: 'refuses an app that imports the database client itself',
    file: 'apps/workflow-api/src/app.ts',
    text: `import { PrismaClient } from '@prisma/client';\nexport const client = PrismaClient;\n`,
    refusal: boundary(/"type:app" is not allowed to import "@prisma\/client"/),
  },
  {
    title: 'refuses a relative import across projects',
    file: 'packages/oidc-claims/src/index.ts',
    text: `import { AppError } from '../../foundation/src/index';\nexport const failure = AppError;\n`,
    refusal: boundary(/cannot be imported by a relative or absolute path/),
  },
  {
    title: 'refuses a contract that imports a Node built-in',
    file: 'packages/workflow-contract/src/index.ts',
    text: `import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n`,
    refusal: { rule: 'eslint(no-restricted-imports)', message: /This runs in a browser too/ },
  },
  {
    title: 'lets a domain package import a foundation package',
    file: 'packages/workflow-spec/src/index.ts',
    text: `import { AppError } from '@weir/foundation';\nexport const failure = AppError;\n`,
  },
];

/** Lints all samples in one process: starting Nx and the type checker is most of the time. */
async function lint(): Promise<Finding[]> {
  const workspace = copyWorkspace();
  try {
    for (const { file, text } of samples) writeFileSync(path.join(workspace.folder, file), text);
    // The rule lets everything pass when Nx has left no graph behind.
    await workspace.run('node_modules/nx/dist/bin/nx.js', ['show', 'projects']);
    const args = ['--format=json', ...samples.map(({ file }) => file)];
    const { output } = await workspace.run('node_modules/oxlint/bin/oxlint', args);
    return (JSON.parse(output) as { diagnostics: Finding[] }).diagnostics;
  } finally {
    workspace.remove();
  }
}

describe('the dependency rules', () => {
  let findings: Finding[];

  beforeAll(async () => {
    findings = await lint();
  });

  it.each(samples)('$title', ({ file, refusal }) => {
    const messages = findings
      .filter(({ filename }) => filename === file)
      .map(({ code, message, help = '' }) => ({ rule: code, message: `${message} ${help}` }));
    if (refusal === undefined) {
      expect(messages).toEqual([]);
    } else {
      expect(messages).toContainEqual({
        rule: refusal.rule,
        message: expect.stringMatching(refusal.message) as string,
      });
    }
  });
});
