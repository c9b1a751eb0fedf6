import { findHarness } from '../../keys/actions/settings/harness-settings';
import { knownHarnesses, type DagHarnesses, type Harnesses } from '../../model/harness';
import { hasReference } from '../../shapes/shapes';
import { didYouMean } from '../../source/text/suggest';
import { quote } from '../../source/text/quote';
import { getEntries, getItems, getKind, getText, report, type YamlValue } from '../../source/yaml/yaml-value';
import type { ActionCall } from '../form/step-form';

/** Checks that each harness that a step names is known, and that it names one. */
export function checkHarnessRun(call: ActionCall, step: YamlValue, { own, defaults }: DagHarnesses): void {
  const { settings, location } = call;
  if (settings && getKind(settings) !== 'map') return;
  if (settings) checkProviders(settings, own);
  if (find(settings, 'provider') ?? defaults?.provider) return;
  const message = 'provider is required in the with of harness.run, or in the harness of the DAG';
  step.context.report.add('missing_key', location, message);
}

/** Checks the names in the settings of a step or in the defaults of a DAG. */
export function checkProviders(settings: YamlValue, own: Harnesses | undefined): void {
  if (getKind(settings) !== 'map') return;
  const list = find(settings, 'fallback');
  const fallbacks = list && getKind(list) === 'list' ? getItems(list) : [];
  for (const each of [settings, ...fallbacks]) {
    const provider = getKind(each) === 'map' ? find(each, 'provider') : undefined;
    if (provider) checkProvider(provider, own);
  }
}

function checkProvider(provider: YamlValue, own: Harnesses | undefined): void {
  const name = getText(provider);
  if (name === undefined || name.trim() === '' || hasReference(provider) || findHarness(name, own)) return;
  const near = provider.context.suggest(name, [...knownHarnesses.keys(), ...Object.keys(own ?? {})]);
  const fix = near === undefined ? undefined : { title: `Write ${quote(near)}`, text: near };
  report(provider, 'invalid_value', `unknown provider ${quote(name)}${didYouMean(near)}`, fix);
}

function find(map: YamlValue | undefined, wanted: string): YamlValue | undefined {
  return map && getEntries(map).find(({ key }) => key === wanted)?.value;
}
