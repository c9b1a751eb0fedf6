import { Pair, Scalar, YAMLMap, YAMLSeq, type Node } from 'yaml';
import type { JsonObject, JsonValue } from '../../model/json';
import { findingCatalogue } from '../../source/findings/catalogue/finding-catalogue';
import { limits } from '../../model/limits';
import type { FindingReport } from '../../source/findings/report/finding-report';
import { createPatternCheck } from '../../source/text/pattern-check';
import { createSuggest } from '../../source/text/suggest';
import { rootValue, type ReadContext } from '../../source/yaml/yaml-value';
import { mailAccount } from './settings/mail-account-settings';
import type { ResolvedType, Shape } from '../../shapes/shape';
import { getAction, type ActionName, type SettingsFor } from './action-catalogue';

/** Valid settings, or their problems, which never quote a value, because it may be a secret. */
export type CheckedSettings<Name extends ActionName> =
  { readonly settings: SettingsFor<Name> } | { readonly problems: readonly string[] };

/**
 * Checks settings against the shape of their action again, after every reference in their strings was replaced. A
 * string that a reference yielded is accepted as the number or boolean it spells, where the shape wants one. A string
 * that still looks like a reference is an ordinary text.
 */
export function checkSettings<Name extends ActionName>(name: Name, settings: JsonObject): CheckedSettings<Name> {
  const checked = checkShape(getAction(name).with, settings);
  if ('problems' in checked) return checked;
  // The shape of the action has read them without a problem and without references, so they have its resolved type.
  return { settings: checked.settings as SettingsFor<Name> };
}

/** One mailbox, with every reference replaced. */
export type MailAccount = ResolvedType<typeof mailAccount>;

/** As {@link checkSettings}, for an account of `mail_accounts`. */
export function checkMailAccount(
  account: JsonObject,
): { readonly account: MailAccount } | { readonly problems: readonly string[] } {
  const checked = checkShape(mailAccount, account);
  return 'problems' in checked ? checked : { account: checked.settings };
}

type SettingsReader = Pick<Shape<JsonObject, unknown>, 'read'>;

function checkShape(
  shape: SettingsReader,
  settings: JsonObject,
): { readonly settings: JsonObject } | { readonly problems: readonly string[] } {
  const asWritten = read(shape, settings, new Set());
  const checked =
    asWritten.problems.length === 0
      ? asWritten
      : read(shape, settings, new Set(asWritten.problems.map(({ key }) => key)));
  if (checked.problems.length > 0) return { problems: checked.problems.map(({ message }) => message) };
  return { settings: checked.with };
}

interface Problem {
  /** The setting concerned; empty for all of them. */
  readonly key: string;
  readonly message: string;
}

interface ReadInput {
  readonly with: JsonObject;
  readonly problems: readonly Problem[];
}

/** `scalarKeys`: settings whose strings are parsed as numbers or booleans. */
function read(shape: SettingsReader, settings: JsonObject, scalarKeys: ReadonlySet<string>): ReadInput {
  const problems: Problem[] = [];
  const map = new YAMLMap();
  for (const [key, value] of Object.entries(settings)) {
    map.items.push(entry(key, toNode(value, scalarKeys.has(key) ? parseScalar : textScalar)));
  }
  const found = shape.read(rootValue(map, resolvedContext(problems)));
  return { with: found ?? settings, problems };
}

function resolvedContext(problems: Problem[]): ReadContext {
  const add: FindingReport['add'] = (code, { path }, message) => {
    if (findingCatalogue[code].severity !== 'error' || problems.length === limits.findings) return;
    problems.push({ key: path.split('/')[1] ?? '', message });
  };
  return {
    text: '',
    isResolved: true,
    report: { add, list: () => [] },
    suggest: createSuggest(),
    checkPattern: createPatternCheck(),
    index: {
      aliases: new Map(),
      unreadablePairs: new Set(),
      unreadableNodes: new Set(),
      partLocations: new Map(),
      steps: new Map(),
    },
  };
}

type ToScalar = (text: string) => Scalar;

function toNode(value: JsonValue, scalar: ToScalar): Node {
  if (typeof value === 'string') return scalar(value);
  if (value === null || typeof value !== 'object') return new Scalar(value);
  if (isList(value)) {
    const list = new YAMLSeq();
    list.items.push(...value.map((item) => toNode(item, scalar)));
    return list;
  }
  const map = new YAMLMap();
  for (const [key, item] of Object.entries(value)) map.items.push(entry(key, toNode(item, scalar)));
  return map;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function entry(key: string, value: Node): Pair<Scalar, Node> {
  return new Pair(Object.assign(new Scalar(key), { source: key }), value);
}

function textScalar(text: string): Scalar {
  return Object.assign(new Scalar<unknown>(text), { source: text });
}

const numberForm = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Retains the source text of settings that are strings. */
function parseScalar(text: string): Scalar {
  const word = text.trim();
  if (word === 'true' || word === 'false') return Object.assign(new Scalar<unknown>(word === 'true'), { source: text });
  return numberForm.test(word) ? Object.assign(new Scalar<unknown>(Number(word)), { source: text }) : textScalar(text);
}
