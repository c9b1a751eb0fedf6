import type { CatalogueEntry, FindingExample } from '../catalogue/catalogue-entry';
import { shownExample } from '../catalogue/shown-example';
import { findingCatalogue } from '../catalogue/finding-catalogue';
import { findingExamples } from '../catalogue/finding-examples';
import type { Finding } from '../finding';
import type { SarifLevel, SarifRule } from './sarif-log';

export const sarifLevels: Readonly<Record<Finding['severity'], SarifLevel>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

const catalogue: Readonly<Record<string, CatalogueEntry>> = findingCatalogue;
const allExamples: Readonly<Record<string, FindingExample>> = findingExamples;

/** Returns the texts that a viewer shows for a code: its meaning, a file that has it, and the corrected file. */
export function toRule({ code, severity }: Finding): SarifRule {
  const entry = catalogue[code];
  const example = allExamples[code];
  const summary = example?.summary ?? code;
  const examples = example
    ? [
        { heading: 'Instead of:', text: shownExample(example.bad) },
        { heading: 'Write:', text: shownExample(example.good) },
      ]
    : [];
  return {
    id: code,
    name: pascalCase(code),
    shortDescription: { text: summary },
    help: {
      text: [summary, ...examples.map(({ heading, text }) => `${heading}\n\n${text}`)].join('\n\n'),
      markdown: [summary, ...examples.map(({ heading, text }) => `${heading}\n\n${fenced(text)}`)].join('\n\n'),
    },
    defaultConfiguration: { level: sarifLevels[entry?.severity ?? severity] },
  };
}

function fenced(text: string): string {
  return `\`\`\`yaml\n${text}\n\`\`\``;
}

function pascalCase(code: string): string {
  return code
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}
