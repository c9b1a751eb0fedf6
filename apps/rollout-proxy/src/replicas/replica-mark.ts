import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export const markHeader = 'x-weir-replica';

/** The destination of a request, signed so that only requests of replicas count as such. */
export interface MarkedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
}

export interface Mark {
  /** Numbers of the leases. */
  readonly from: number;
  readonly to: number;
}

export interface ReplicaMarks {
  create(mark: Mark, request: MarkedRequest): string;
  /** `undefined` if the signature belongs to another installation or another request. */
  read(text: string, request: MarkedRequest): Mark | undefined;
}

const maxMade = 256;

/** Marks of requests between replicas, which share the admin key. */
export function createReplicaMarks(adminKey: string): ReplicaMarks {
  const key = Buffer.from(hkdfSync('sha256', adminKey, 'weir-rollout', 'replica-marks', 32));
  // Model calls have few addresses, so that most signatures were made before.
  const made = new LRUCache<string, string>({ max: maxMade });
  const sign = ({ from, to }: Mark, { method, target }: MarkedRequest): string => {
    const signed = JSON.stringify([from, to, method, target]);
    const known = made.get(signed);
    if (known !== undefined) return known;
    const signature = createHmac('sha256', key).update(signed).digest('base64url');
    made.set(signed, signature);
    return signature;
  };
  return {
    create: (mark, request) => `${mark.from}.${mark.to}.${sign(mark, request)}`,
    read: (text, request) => {
      const [, from = '', to = '', given = ''] = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/.exec(text) ?? [];
      const mark = { from: Number(from), to: Number(to) };
      const isOwn = given !== '' && timingSafeEqual(Buffer.from(given), Buffer.from(sign(mark, request)));
      return isOwn ? mark : undefined;
    },
  };
}

/** Tells replicas with different admin keys apart without storing the key. */
export function adminKeyDigest(adminKey: string): string {
  return Buffer.from(hkdfSync('sha256', adminKey, 'weir-rollout', 'replica-check', 32)).toString('base64url');
}
