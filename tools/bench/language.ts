// Measures how long a DAG file takes to be read, checked and planned, compared with a bare read of the same YAML by the
// library underneath, in one run. Figures are for comparing rows with each other. `npm run bench language` runs it.
import { performance } from 'node:perf_hooks';
import { hasErrors, parseDag } from '@weir/workflow-spec';
import { planDag } from '@weir/workflow-engine/model';
import { parse as parseYaml } from 'yaml';

const sizes = [100, 1000, 5000, 8000];
const rounds = 5;

/** Steps with what real files have: dependencies, environment, references to outputs, policies. */
function manySteps(count: number): string {
  const steps = Array.from({ length: count }, (_, index) => {
    const depends = index === 0 ? '' : `\n    depends: [step_${Math.floor((index - 1) / 2)}]`;
    return `  - id: step_${index}${depends}\n    run: echo "\${params.region} ${index}" > "/tmp/out_${index}"\n    env: [{PART: "${index}"}]\n`;
  });
  return `params:\n  - {name: region, default: eu}\nsteps:\n${steps.join('')}`;
}

function medianMs(action: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    action();
    return performance.now() - start;
  }).sort((left, right) => left - right);
  return times[Math.floor(rounds / 2)] ?? 0;
}

console.log('| steps | KiB | YAML alone ms | read, checked, planned ms | of YAML alone |');
console.log('| ---: | ---: | ---: | ---: | ---: |');
for (const size of sizes) {
  const text = manySteps(size);
  const yamlMs = medianMs(() => void parseYaml(text));
  const wholeMs = medianMs(() => {
    const { dag, findings } = parseDag(text);
    if (hasErrors(findings)) throw new Error(`The file of ${size} steps is not valid.`);
    planDag(dag.steps);
  });
  const ratio = (wholeMs / yamlMs).toFixed(2);
  console.log(
    `| ${size} | ${Math.round(text.length / 1024)} | ${yamlMs.toFixed(0)} | ${wholeMs.toFixed(0)} | ${ratio} |`,
  );
}
