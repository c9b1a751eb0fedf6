import { isHostVariable } from '../../values/environment/host-variables';
import { quote } from '../../source/text/quote';
import { getEntries, getItems, getKind, getText, type YamlValue } from '../../source/yaml/yaml-value';
import { locateReferences } from './locate-references';
import { createReferenceReader } from '../../values/references/reference';
import type { ReferenceReport } from './reference-report';

interface Assignment {
  readonly name: string;
  readonly value: YamlValue;
}

/** Warns about entries of `env` that read themselves or a later entry, unless the variable has a value before them. */
export function checkEnvOrder(report: ReferenceReport, env: YamlValue, known: Pick<ReadonlySet<string>, 'has'>): void {
  const assignments = listAssignments(env);
  const own = new Set(assignments.map(({ name }) => name));
  const earlier = new Set<string>();
  for (const { name, value } of assignments) {
    const text = getText(value) ?? '';
    const reader = createReferenceReader(text);
    for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', at + 1)) {
      const reference = reader.at(at);
      if (!reference || reference.operator) continue;
      const { head, path } = reference;
      const read = head === 'env' ? path[0] : head;
      if (read === undefined || !own.has(read) || earlier.has(read)) continue;
      if (known.has(read) || isHostVariable(read)) continue;
      const what = read === name ? 'itself' : `${quote(read)}, which is set below it`;
      const location = locateReferences(value, text)(reference);
      report.add(value.context, 'env_order', location, `the variable ${quote(name)} reads ${what}`);
    }
    earlier.add(name);
  }
}

function listAssignments(env: YamlValue): readonly Assignment[] {
  const toAssignments = (map: YamlValue) => getEntries(map).map(({ key, value }) => ({ name: key, value }));
  if (getKind(env) === 'map') return toAssignments(env);
  return getItems(env).flatMap((item) => {
    if (getKind(item) === 'map') return toAssignments(item);
    const [name = ''] = (getText(item) ?? '').split('=', 1);
    return [{ name, value: item }];
  });
}
