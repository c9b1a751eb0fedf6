import type { DagSettings } from '../../model/dag';
import type { BaseConfig } from './base-config';
import type { StepDefaults } from '../../model/step-defaults';

/** Settings of a group come from one key, or exclude each other, so they are taken from the same file. */
const groups: readonly (readonly (keyof DagSettings)[])[] = [
  ['params', 'paramSchema'],
  ['schedule', 'stopSchedule', 'restartSchedule'],
  ['histRetentionDays', 'histRetentionRuns'],
];

/**
 * Merges two configurations. Environment entries of `base` come first, so that those of `own` see and override them;
 * constants, secrets and harnesses are merged by name, mail accounts by address, handlers by kind, and step defaults by
 * key. For every other setting `own` wins.
 */
export function mergeBaseConfig(base: BaseConfig, own: BaseConfig): BaseConfig {
  const inherited = withoutReplacedGroups(own.settings, base.settings);
  return {
    ...base,
    ...own,
    settings: { ...inherited, ...own.settings, ...joinSettings(inherited, own.settings) },
    ...mergeStepDefaults(base.defaults, own.defaults),
    ...(base.customActions &&
      own.customActions && { customActions: joinByName(base.customActions, own.customActions) }),
  };
}

/** Merges the base configurations; later ones win. */
export function mergeBaseConfigs(bases: readonly BaseConfig[]): BaseConfig {
  return bases.reduce(mergeBaseConfig, { settings: {} });
}

function withoutReplacedGroups(own: Partial<DagSettings>, base: Partial<DagSettings>): Partial<DagSettings> {
  const replaced = new Set<string>(groups.filter((group) => group.some((key) => own[key] !== undefined)).flat());
  return Object.fromEntries(Object.entries(base).filter(([key]) => !replaced.has(key)));
}

function joinSettings(base: Partial<DagSettings>, own: Partial<DagSettings>): Partial<DagSettings> {
  return {
    ...(base.env && own.env && { env: [...base.env, ...own.env] }),
    ...(base.consts && own.consts && { consts: joinByName(base.consts, own.consts) }),
    ...(base.secrets && own.secrets && { secrets: joinByName(base.secrets, own.secrets) }),
    ...(base.harnesses && own.harnesses && { harnesses: { ...base.harnesses, ...own.harnesses } }),
    ...(base.mailAccounts && own.mailAccounts && { mailAccounts: joinByAddress(base.mailAccounts, own.mailAccounts) }),
    ...(base.handlers && own.handlers && { handlers: { ...base.handlers, ...own.handlers } }),
  };
}

function joinByName<T extends { readonly name: string }>(base: readonly T[], own: readonly T[]): readonly T[] {
  const names = new Set(own.map(({ name }) => name));
  return [...base.filter(({ name }) => !names.has(name)), ...own];
}

type Accounts = NonNullable<DagSettings['mailAccounts']>;

function joinByAddress(base: Accounts, own: Accounts): Accounts {
  const addresses = new Set(Object.keys(own).map((address) => address.toLowerCase()));
  const kept = Object.entries(base).filter(([address]) => !addresses.has(address.toLowerCase()));
  return { ...Object.fromEntries(kept), ...own };
}

/** Environment and preconditions of `base` come before those of `own`; for every other key `own` wins. */
function mergeStepDefaults(
  base: StepDefaults | undefined,
  own: StepDefaults | undefined,
): { readonly defaults?: StepDefaults } {
  if (!base || !own) {
    const defaults = own ?? base;
    return defaults ? { defaults } : {};
  }
  return {
    defaults: {
      ...base,
      ...own,
      ...(base.env && own.env && { env: [...base.env, ...own.env] }),
      ...(base.preconditions && own.preconditions && { preconditions: [...base.preconditions, ...own.preconditions] }),
    },
  };
}
