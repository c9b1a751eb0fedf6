import { isMap, isPair, isScalar, visit, type Document, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { findPeer, readPeerRelease, type PeerName, type PeerRelease } from './peer';

/** A pair of a mapping whose key is text. */
export interface Entry {
  readonly name: string;
  readonly key: Scalar;
  readonly value: unknown;
}

/** A step that uses one of the peers. */
export interface AuthStep {
  readonly id: string | undefined;
  readonly uses: Scalar<string>;
  /** `OWNER/NAME@REF` as written. */
  readonly action: string;
  readonly peer: PeerName;
  readonly release: PeerRelease;
  readonly with: Entry | undefined;
  readonly inputs: readonly Entry[];
  /** The entry `env` of the step itself. */
  readonly env: Entry | undefined;
}

/** Finds every step of a workflow or composite action that uses one of the peers, also through anchors. */
export function findAuthSteps(document: Document): readonly AuthStep[] {
  const steps: AuthStep[] = [];
  visit(document, {
    Map: (_, map) => {
      const step = readStep(map);
      if (step !== undefined) steps.push(step);
    },
  });
  return steps;
}

/** The entries of a mapping, in the order of the file. */
export function readEntries(map: YAMLMap): readonly Entry[] {
  return map.items.flatMap((pair: unknown) => (isPair(pair) ? toEntry(pair) : []));
}

export function textOf(value: unknown): string | undefined {
  return isScalar(value) && typeof value.value === 'string' ? value.value : undefined;
}

/** The text of a value; `undefined` for an expression, whose value only a run knows. */
export function literalOf({ value }: Entry): string | undefined {
  const text = isScalar(value) ? (value.source ?? '') : undefined;
  return text === undefined || text.includes('${{') ? undefined : text;
}

function toEntry({ key, value }: Pair): readonly Entry[] {
  return isScalar(key) && typeof key.value === 'string' ? [{ name: key.value, key, value }] : [];
}

function readStep(map: YAMLMap): AuthStep | undefined {
  const entries = readEntries(map);
  const find = (name: string): Entry | undefined => entries.find((entry) => entry.name === name);
  const uses = find('uses')?.value;
  const action = textOf(uses);
  if (!isScalar<string>(uses) || action === undefined) return undefined;
  const [repository = '', ref = ''] = action.split('@', 2);
  const peer = findPeer(repository);
  if (peer === undefined || ref === '') return undefined;
  const inputs = find('with');
  return {
    id: textOf(find('id')?.value),
    uses,
    action,
    peer,
    release: readPeerRelease(peer, ref, uses.comment ?? ''),
    with: inputs,
    inputs: isMap(inputs?.value) ? readEntries(inputs.value) : [],
    env: find('env'),
  };
}
