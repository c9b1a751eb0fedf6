// Measures episodes of five turns that the trainer's packages play, 32 at once, through the built proxy before an instant
// engine: what is left is the time outside the engine. `npm run bench rollout-sdk` runs it after a build;
// WEIR_BENCH_QUICK=1 plays a tenth of the episodes. The package for Python is measured where it can be installed.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import { loadTokenizerFolder } from '@weir/rollout-engine';
import { createRollout, createRolloutClient, load, type RolloutClient } from '@weir/rollout-sdk';
import { adminKey, startServers } from './rollout-servers';
import { seededText } from './rollout-text';
import { benchTokenizerFolder } from './rollout-tokenizer';

const episodes = process.env.WEIR_BENCH_QUICK === '1' ? 100 : 1_000;
const parallel = 32;
const turns = 5;
const answerTokens = 64;
const megabyte = 1024 * 1024;

interface Measured {
  readonly seconds: number;
  readonly rows: number;
  readonly rejected: number;
  readonly trainerMegabytes: number;
  readonly trainerCpuMs: number;
}

/** Plays all episodes; each of the parallel players takes the next one. */
async function play(client: RolloutClient, mode: string): Promise<Measured> {
  const rollout = createRollout({
    client,
    config: { rollout: { llm: { mode, subproc_max_workers: 8 } } },
    baseFolder: __dirname,
  });
  const workflow = await rollout.resolve('./rollout-sdk-agent.mjs#BenchAgent');
  const begin = performance.now();
  const cpu = process.cpuUsage();
  let next = 0;
  let rows = 0;
  let rejected = 0;
  const player = async (): Promise<void> => {
    while (next < episodes) {
      const text = seededText({ seed: (next += 1), words: 40 });
      const outcome = await workflow.arunEpisode(undefined, { text });
      if (outcome.status === 'completed') rows += load(outcome.exported).rows.length;
      else rejected += 1;
    }
  };
  await Promise.all(Array.from({ length: parallel }, player));
  const used = process.cpuUsage(cpu);
  const seconds = (performance.now() - begin) / 1000;
  await rollout.close();
  const trainerMegabytes = Math.round(process.memoryUsage.rss() / megabyte);
  return { seconds, rows, rejected, trainerMegabytes, trainerCpuMs: (used.user + used.system) / 1000 };
}

/** Plays the same episodes with the package for Python. */
async function playByPython(python: string, url: string, mode: string): Promise<Measured> {
  const program = path.join(__dirname, 'rollout_sdk.py');
  const env = { ...process.env, ROLLOUT_ADMIN_KEY: adminKey, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: __dirname };
  const args = [program, url, mode, String(episodes), String(parallel)];
  const child = spawn(python, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const texts = Array.from({ length: episodes }, (_text, index) => seededText({ seed: index + 1, words: 40 }));
  child.stdin.end(JSON.stringify(texts));
  return (await json(child.stdout)) as Measured;
}

function findPython(): string | undefined {
  const script = path.resolve(__dirname, '../setup/python-environment.mjs');
  const { stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  const { python, missing } = JSON.parse(stdout) as { readonly python?: string; readonly missing?: string };
  if (missing !== undefined) console.log(`The package for Python was not measured: ${missing}`);
  return python;
}

/** Measures one call of the engine without a proxy. */
async function engineMs(port: number): Promise<number> {
  const calls = 200;
  const body = JSON.stringify({
    input_ids: [1, 2, 3],
    sampling_params: { max_new_tokens: answerTokens },
    return_logprob: true,
  });
  const begin = performance.now();
  for (let call = 0; call < calls; call += 1) {
    const headers = { 'content-type': 'application/json' };
    await (await fetch(`http://127.0.0.1:${port}/generate`, { method: 'POST', headers, body })).arrayBuffer();
  }
  return (performance.now() - begin) / calls;
}

const row = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);

async function main(): Promise<void> {
  const tokenizerFolder = await benchTokenizerFolder();
  const tokenizer = await loadTokenizerFolder(tokenizerFolder);
  const words = await tokenizer.encode(seededText({ seed: 3, words: 200 }), { control: false });
  const answerIds = [...words.subarray(0, answerTokens - 1), ...tokenizer.endIds];
  await tokenizer.stop();
  const python = findPython();
  const names = [
    'language',
    'mode',
    'episodes/s',
    'rejected',
    'rows',
    'trainer MB',
    'proxy MB',
    'CPU of an episode: trainer',
    'proxy',
  ];
  row(...names, 'outside the engine');
  row(...names.map(() => '---'), '---');
  const languages = python === undefined ? ['TypeScript'] : ['TypeScript', 'Python'];
  const runs = languages.flatMap((language) => ['inline', 'subproc'].map((mode) => ({ language, mode })));
  for (const { language, mode } of runs) {
    const servers = await startServers({ tokenizerFolder, answerIds });
    const client = createRolloutClient({ url: `http://127.0.0.1:${servers.proxyPort}`, adminKey });
    try {
      const perCall = await engineMs(servers.enginePort);
      const proxyCpuBefore = await servers.proxyCpuMs();
      const made =
        language === 'Python' ? await playByPython(python ?? '', client.url, mode) : await play(client, mode);
      const proxyCpu = (await servers.proxyCpuMs()) - proxyCpuBefore;
      // The engine answers one call at a time, so its share of the time on the wall is the sum of its calls.
      const outside = 1 - (episodes * turns * perCall) / (made.seconds * 1000);
      row(
        language,
        mode,
        (episodes / made.seconds).toFixed(1),
        String(made.rejected),
        String(made.rows),
        String(made.trainerMegabytes),
        String(await servers.residentMegabytes()),
        `${(made.trainerCpuMs / episodes).toFixed(1)} ms`,
        `${(proxyCpu / episodes).toFixed(1)} ms`,
        `${(100 * outside).toFixed(0)} %`,
      );
    } finally {
      await client.close();
      await servers.stop();
    }
  }
}

void main();
