import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startFakeEngine, type FakeEngine } from '@weir/fake-engine';
import { createRolloutClient, load, type RolloutClient } from '@weir/rollout-sdk';
import { describeUnless, spawnProcess, temporaryFolder } from '@weir/test-kit';
import { encode, vocabularySize } from './support/byte-tokenizer';
import { saying, startFakeSetting, type FakeSetting } from './support/fake-setting';
import { adminKey } from './support/rollout-proxy';

const repository = path.resolve(__dirname, '../../..');
const limitMs = 300_000;

function findPython(): { readonly python?: string; readonly missing?: string } {
  const script = path.join(repository, 'tools/setup/python-environment.mjs');
  const args = [script, 'training', '--if-installed'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return JSON.parse(stdout) as { readonly python?: string; readonly missing?: string };
}

const { python = '', missing } = findPython();

interface Steps {
  /** The losses before and after. */
  readonly distillation: readonly [number, number];
  readonly replay: readonly [number, number];
  /** The experts of each layer that got a gradient. */
  readonly trained_experts: readonly (readonly number[])[];
}

describeUnless(missing, 'no training step was made with an export')('an export in a training step of JAX', () => {
  const folder = temporaryFolder('weir-steps-');
  const experts = { layers: 3, perToken: 2 };
  let setting: FakeSetting;
  let teacher: FakeEngine;
  let client: RolloutClient;
  beforeAll(async () => {
    teacher = await startFakeEngine({ dialect: 'sglang', encode, vocabularySize });
    const env = {
      ROLLOUT_EXPERTS: '3x2',
      ROLLOUT_RECORD_ROUTED_EXPERTS: 'on',
      ROLLOUT_SCORERS: `teacher=sglang@${teacher.url}`,
    };
    setting = await startFakeSetting('sglang', { engine: { experts }, env });
    client = createRolloutClient({ url: setting.proxy.url, adminKey });
  });
  afterAll(async () => {
    await client.close();
    await setting.stop();
    await teacher.stop();
    await folder.remove();
  });

  it(
    'distils the likeliest tokens of a teacher, and replays the experts that the engine chose',
    async () => {
      await client.grant();
      const session = await client.start();
      for (const text of ['four', 'fourteen']) {
        setting.answers(saying(text));
        const body = { model: 'm', messages: [{ role: 'user', content: `What is ${text}?` }] };
        const answer = await setting.proxy.request('/v1/chat/completions', { key: session.apiKey, body });
        await session.lossWeight(text.length, String(answer.body.id));
      }
      await session.end();
      expect(await client.score(session.id, 'teacher', { topLogprobs: 2 })).toMatchObject({ total_interactions: 2 });
      const exported = await client.exportFile(session.id, {
        include_tensors: ['ref_top_logprobs', 'loss_weights', 'routed_experts'],
      });
      const file = folder.file('batch.safetensors');
      writeFileSync(file, exported);
      const child = await spawnProcess({
        command: python,
        args: [path.join(repository, 'python/weir-rollout/tests/frameworks/jax_steps.py'), file],
        cwd: folder.path,
        env: { HOME: folder.path, PYTHONPYCACHEPREFIX: path.join(repository, '.runtime/python-cache') },
        deadlineMs: limitMs,
      });
      const { code } = await child.exited;
      if (code !== 0) throw new Error(`The steps ended with ${code}:\n${child.stdout()}${child.stderr()}`);

      const steps = JSON.parse(child.stdout()) as Steps;
      expect(steps.distillation[1]).toBeLessThan(steps.distillation[0]);
      expect(steps.replay[1]).toBeLessThan(steps.replay[0]);
      // Only the experts that sampled the trained tokens learn from them.
      expect(steps.trained_experts).toEqual(expertsBeforeTrained(exported));
    },
    limitMs,
  );

  /** The experts of each layer for the tokens whose next one is trained, sorted. */
  function expertsBeforeTrained(exported: Uint8Array): readonly (readonly number[])[] {
    const found = Array.from({ length: experts.layers }, () => new Set<number>());
    for (const { tensors } of load(exported).rows) {
      const width = experts.layers * experts.perToken;
      tensors.loss_mask.data.forEach((trained, position) => {
        if (trained === 0) return;
        const row = tensors.routed_experts?.data.subarray((position - 1) * width, position * width) ?? [];
        row.forEach((expert, at) => found[Math.floor(at / experts.perToken)]?.add(expert));
      });
    }
    return found.map((layer) => [...layer].sort((left, right) => left - right));
  }
});
