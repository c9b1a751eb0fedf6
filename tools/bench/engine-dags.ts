/** The DAGs that the engine is measured with. */
const shellStep = 'run: "true"';
const lightStep = 'action: js.run\n    with: { code: "(n) => n", input: 1 }';

function steps(count: number, what: string, depends: (index: number) => string): string {
  const one = (index: number) => `  - id: s${index}\n    ${what}\n${depends(index)}`;
  return `steps:\n${Array.from({ length: count }, (_, index) => one(index)).join('')}`;
}

const alone = () => '';
const chained = (index: number) => (index === 0 ? '' : `    depends: s${index - 1}\n`);

const wide = (count: number, what: string) => `max_active_steps: 0\n${steps(count, what, alone)}`;

const foreach = (count: number) => `steps:
  - id: loop
    foreach:
      items: ${JSON.stringify(Array.from({ length: count }, (_, index) => index))}
      max_concurrent: 50
      steps:
        - id: one
          ${lightStep.replace('\n    ', '\n          ')}
`;

export const engineDags: ReadonlyMap<string, string> = new Map([
  ['one-shell', steps(1, shellStep, alone)],
  ['one-light', steps(1, lightStep, alone)],
  ['chain-10', steps(10, shellStep, chained)],
  ['three-shell', steps(3, shellStep, chained)],
  ['three-light', steps(3, lightStep, chained)],
  ['wide-50', wide(50, shellStep)],
  ['wide-200', wide(200, shellStep)],
  ['wide-1000', wide(1000, shellStep)],
  ['wide-light-1000', wide(1000, lightStep)],
  ['light-40', steps(40, lightStep, chained)],
  ['shell-40', steps(40, shellStep, chained)],
  ['foreach-100', foreach(100)],
  ['foreach-1000', foreach(1000)],
]);
