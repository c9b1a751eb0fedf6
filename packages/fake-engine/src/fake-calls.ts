import type { FakeCall } from './fake-engine-types';
import type { FakeEngineRequest } from './fake-engine-types';
import type { FakeSample } from './fake-sampling';

/** A call that may still be in progress. */
export class RecordedCall implements FakeCall {
  private count: number;
  isDisconnected = false;

  constructor(
    readonly request: FakeEngineRequest,
    private readonly sample: FakeSample,
  ) {
    this.count = sample.ids.length;
  }

  get ids(): Int32Array {
    return this.sample.ids.slice(0, this.count);
  }

  get logprobs(): Float32Array {
    return this.sample.logprobs.slice(0, this.count);
  }

  get versions(): Int32Array {
    return this.sample.versions.slice(0, this.count);
  }

  cutTo(count: number): void {
    this.count = count;
  }
}
